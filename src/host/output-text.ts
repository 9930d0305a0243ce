/**
 * Turns the bytes of a command into text, piece by piece: UTF-8 that is split between pieces is put together, what is none
 * becomes U+FFFD, and CRLF becomes LF.
 */
export function createOutputText(): {push(bytes: Uint8Array): string; end(): string} {
  const decoder = new TextDecoder('utf-8', {ignoreBOM: true});
  // A CR at the end of a piece waits for the LF that may begin the next.
  let carriageReturn = '';

  function fold(text: string, last: boolean): string {
    const whole = carriageReturn + text;
    carriageReturn = !last && whole.endsWith('\r') ? '\r' : '';
    return whole.slice(0, whole.length - carriageReturn.length).replaceAll('\r\n', '\n');
  }

  return {
    push: (bytes) => fold(decoder.decode(bytes, {stream: true}), false),
    end: () => fold(decoder.decode(), true),
  };
}
