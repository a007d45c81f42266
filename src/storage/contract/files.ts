export interface StoredFile {
  readonly project_id: string;
  readonly digest: string;
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Stores files by the digest of their bytes; of several names the first one stays. */
export interface FileStore {
  create(file: StoredFile): Promise<void>;
  get(projectId: string, digest: string): Promise<StoredFile | undefined>;
  /** Bytes of all files of a project; 0 where there are none. */
  totalBytes(projectId: string): Promise<number>;
}
