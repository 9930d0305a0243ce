const FILE =
  /^(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |(?:\+\+\+|---) (?:[ab]\/)?(?!\/dev\/null)|rename (?:from|to) )([^\t\r\n]+)/gm;

/** Returns the files that a patch names, as a unified diff or in the form of `apply_patch`; none where a text is no patch. */
export function patchedFiles(text: string): readonly string[] {
  return [...text.matchAll(FILE)].map(([, path = '']) => path.trim());
}
