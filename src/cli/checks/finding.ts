export interface Finding {
  /** `problem`: something does not work. `warning`: it works, and somebody should look at it. */
  readonly level: 'ok' | 'warning' | 'problem';
  readonly about:
    | 'node'
    | 'state folder'
    | 'server file'
    | 'recording'
    | 'capture'
    | 'service'
    | 'key'
    | 'storage'
    | 'kept'
    | 'data folder'
    | 'data disk'
    | 'database'
    | 'version'
    | 'last problems'
    | 'spool'
    | 'disk'
    | 'waiting records'
    | 'damaged records'
    | 'project';
  readonly message: string;
  /** A way to put it right. */
  readonly advice?: string;
}
