declare module 'unbzip2-stream' {
  /** Decompresses what is written to it, at once; what a listener of `data` throws becomes its `error`. */
  export default function unbzip2(): NodeJS.ReadWriteStream;
}
