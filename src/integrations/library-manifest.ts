import type { TestedLibrary, TestedRange } from '../protocol/process/tested-libraries.ts';

/** The facts of a captured library that are needed before it is loaded. Data alone: the build reads it, too. */
export interface LibraryManifest {
  /** Of its npm package. */
  readonly name: TestedLibrary;
  /** `spoor/<entry>` has its wrappers; its folder and the file of the entry are called so, too. */
  readonly entry: string;
  readonly tested: TestedRange;
  /** The exports of the entry, as programs use them and the table of the docs shows them: `wrapOpenAI(client)`. */
  readonly wrappers: readonly string[];
  /** The function of `<entry>/<entry>.ts` that the loader hooks give the modules to. */
  readonly capture: string;
  /** Where the loader hooks find what is captured. */
  readonly modules: CapturedModules;
  /**
   * As it names itself to its service, with its version. By that requests of a library are noticed that no hook has seen;
   * without, they are not.
   */
  readonly userAgent?: RegExp;
}

/** Files of a package, below its folder. */
export interface CapturedModules {
  /**
   * The file that `require` reads; without, nothing can be done about a program that has it already.
   * @default `files`
   */
  readonly mainFile?: string;
  /** Modules beside the one that the package exports, which programs import by their path; of each format. */
  readonly innerFiles?: readonly string[];
  /** The modules that have what is captured, where it is not the one that the package exports; of each format. */
  readonly files?: readonly string[];
}
