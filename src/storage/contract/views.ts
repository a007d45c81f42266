/** A saved view of a list of a project; times in microseconds. */
export interface StoredView {
  readonly project_id: string;
  readonly id: string;
  readonly name: string;
  /** The query string of the page. */
  readonly query: string;
  readonly columns: readonly string[];
  readonly created_at: number;
  readonly updated_at: number;
  /** Who has made it. */
  readonly svc_user_id: string;
}

/** Stores views: few per project, so that they are read together. */
export interface ViewStore {
  /** Adds a view, or takes its name, query, columns and `updated_at` for the one with its id. Resolves with what is stored. */
  save(view: StoredView): Promise<StoredView>;
  /** The views of a project, oldest first, of one time by id. */
  list(projectId: string): Promise<StoredView[]>;
  /** Removes a view for good; false when there is none. */
  delete(projectId: string, id: string): Promise<boolean>;
}
