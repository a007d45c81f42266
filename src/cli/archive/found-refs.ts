const TABLE_REF = /svc:\/\/\/([^/"\\]+\/[^/"\\]+)\/table\/([0-9a-f]{64})/g;
/** Members of the value that stands in the place of a file (protocol 11.7). */
const FILES = /"files":\{([^{}]*)\}/g;
const FILE = /"((?:[^"\\]|\\.)*)":"([\w-]{43})"/g;

/** Tables and files that texts of JSON name: the service lists neither. */
export class FoundRefs {
  /** Digests of tables of the project, in the order in which they were named first. */
  readonly tables = new Set<string>();
  /** Names of files by their digests; what is no file may be among them. */
  readonly files = new Map<string, string>();
  readonly #project: string;

  constructor(project: string) {
    this.#project = project;
  }

  scan(text: string): void {
    // Most texts have neither, which is found out many times as fast.
    if (text.includes('/table/')) this.#scanTables(text);
    if (text.includes('"files":{')) this.#scanFiles(text);
  }

  #scanTables(text: string): void {
    for (const [, project = '', digest = ''] of text.matchAll(TABLE_REF)) {
      if (decoded(project) === this.#project) this.tables.add(digest);
    }
  }

  #scanFiles(text: string): void {
    for (const [, members = ''] of text.matchAll(FILES)) {
      for (const [, name = '', digest = ''] of members.matchAll(FILE)) {
        if (!this.files.has(digest)) this.files.set(digest, JSON.parse(`"${name}"`) as string);
      }
    }
  }
}

/** Clients write the parts of a project with escapes or without. */
function decoded(project: string): string {
  try {
    return project.split('/').map(decodeURIComponent).join('/');
  } catch {
    // What is no escape stands for itself.
    return project;
  }
}
