declare module 'unbzip2-stream' {
  /** Decompresses synchronously what is written to it; an exception in a `data` listener becomes its `error`. */
  export default function unbzip2(): NodeJS.ReadWriteStream;
}
