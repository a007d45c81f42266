import { createContext, useContext } from 'react';

/** Where the content behind a value comes from: the service, or the file in which a trace was exported. */
export interface ContentSource {
  /** The bytes of a stored file; `undefined` where they are not kept. Rejects where they cannot be had now. */
  readFile(digest: string, signal: AbortSignal): Promise<Blob | undefined>;
  /** The page of a reference (`svc:///…`), as a path of ours; `undefined` where it has none. */
  hrefOfRef(ref: string): string | undefined;
}

const NOTHING: ContentSource = { readFile: async () => undefined, hrefOfRef: () => undefined };

export const ContentSourceContext = createContext<ContentSource>(NOTHING);

export function useContentSource(): ContentSource {
  return useContext(ContentSourceContext);
}
