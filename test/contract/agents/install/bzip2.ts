/* Packed by bzip2, which is not installed everywhere: `tar(…)` as archives.ts makes it. */

/** The content of `a/agent` in `twoBlocks`. */
export const twoBlocksText = Array.from({length: 60_000}, (_, number) => number % 100).join(' ');

/** `a/agent` with that text, in two blocks (`bzip2 -1`). */
export const twoBlocks = Buffer.from(
  [
    'QlpoMTFBWSZTWTj3oXwAw0DbgOiAQAD/4AAgYoEeAAgAUAVe9SkAAoAAGKaNAGgAApo0AaAACmjQBoAAE1VU00N/qpMgAAKVSCZ/',
    'qkVB6j1HqPT/vDouPvu9/x57/FwcfIpOkUnEUnEiXRRLqol5KJclEvNRH8xScxSfMUniKTRSaCXBRLKJZRLKJZRLKJZRLKJd6iWU',
    'Sykmik6xSaKTRSaKTKJZRLKJdyiWUSyiWUSyiXFRLKJZRLCk0Umik7RSaKTCkwpMKTCk7ikwpMKTCkwpOsUmFJhSYUmFJhSYUnwK',
    'TCkwpMKTpFJhSYUmFJhSYUmFJhSeBSYUmFJxFJhSYUmFJhSYUmFJhSYUnkUmhSYUmFJhSYUmFJhSYUmFJhSYUnn6+ennifnUUnqK',
    'T1FJ3ik9RSehSehSehSehSexSdv29p9dJ09RSe4pPcUnuKT3FJ5FJ7FJ7FJ7FS6VEuUgkyiWUS4KI0UmikwpMKTCkwpMKTwRSde/',
    'RSA0Umik0UnWKTRSdxSYUngUmFJhSefFUpHHFIDxopOsUmik6xSdopMKTCkwpMKTCk7kUnbhSA0Umik0UmikwpO8UnwKTCkwpMKT',
    'tEB/fAKTvwIDmKTmKTmKTmKTkUnwKT4ik5FJyKTkUnUVJe+BSeeAUnjmKTmKTtFJzFJ2FJyKTkUniKTkUnIpOggPfAlI5ik5ik5i',
    'k5ik5FJyKTkUnIpPMUnIpOAqS4FJxFJopNFJopNFJhSYUmFJhSeQqS9OPr6+/6++Pz//z85+YoKyTKazMLcGSADJl7QBgACAAP/A',
    'QAAAEKAJeAeAKVVVVUCAAAQAACAAAJqqmmhv1SmQKVSmmPeqUyfq+8DwA5AeAHgB6AewHwB0AwDsB/APoD4AwDAOAGAYBgGAYBgG',
    'AewGAYBgHkBgGAYBgGAYB6AYBgGAYByAwDAMAwDAOQGAYBqqpgDAHkAwBgDAGAPFVVgDAGAMAYAwB6AMAYAwB+VVWAMAYAwBgDAG',
    'APYBgDAHVVVgDAGAMAYAwBgDAHADVVVgDAGAMAYAwBgDAGAMAfIDoB0A6AdAOgHVQOAHADsA5VVaqq1VVqqrVVWAMAYA1VVaqquo',
    'gVgGAcBVqqrVVWAMAYAwqrVVV8iBWAYBgHiqq1VVgDAGAMBWqqr3ECsAwDAMVV+1VWAMAYAwBqqq9RArAMAwDArAHmqqwBgDAGFV',
    'cwD94qqqrsB2A7Au6qrsA7APVVV2Adgq7qqrzVVUsAwDAMqqwBgDAHuqqwBqqq4qqqWAYBgGCrAGAMAYA5VVYA6AE6AOqqrVVWqq',
    'tVVaqqwBgDAGAOACfJ/i7kinChIdNpg7gA==',
  ].join(''),
  'base64',
);

/** `a` with 5 MiB of zeros (`bzip2 -9`). */
export const zerosInBzip2 = Buffer.from(
  [
    'QlpoOTFBWSZTWduaNjoAoMrfgNiAQAB1AABAAADgAB4AAAggAHUJFNTQ0YmagVJQZAAfdXwIiAisQkQEbd1e9aWsJCABDB2oKjEZ',
    '6gIb9eGcYiKhnf0zPKIiAj8XckU4UJDbmjY6',
  ].join(''),
  'base64',
);
