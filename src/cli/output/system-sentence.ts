/** The sentence for what the system refused to do with a file; `undefined` for all other errors. */
export function systemSentence(error: Error): string | undefined {
  const { code = '', path } = error as NodeJS.ErrnoException;
  const reason = REASONS[code];
  return path === undefined || reason === undefined ? undefined : `Cannot open "${path}": ${reason}`;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not do so',
  EPERM: 'this user may not do so',
  EROFS: 'the disk can only be read',
  ENOSPC: 'the disk is full',
};
