import { TracingError } from '../../../protocol/error.ts';

/** Names as clusters have them, and macros of their servers. */
const NAME = /^[\w.{}-]+$/;

/** Refuses what is no name of a cluster, which stands in statements. */
export function checkCluster(cluster: string): void {
  if (NAME.test(cluster)) return;
  throw new TracingError(
    'invalid_configuration',
    `Cannot use the cluster "${cluster.slice(0, 100)}": want letters, digits and any of _ . - { }`,
  );
}

/**
 * The statement that every server of a cluster carries out, for tables of which each has a copy. Where copies are found is left to
 * `default_replica_path` and the macros of the servers.
 */
export function clustered(statement: string, cluster: string): string {
  return statement
    .replace(/^(CREATE TABLE IF NOT EXISTS|ALTER TABLE) (\w+)/, `$1 $2 ON CLUSTER '${cluster}'`)
    .replace(/\bENGINE = (\w*MergeTree)\b/, 'ENGINE = Replicated$1');
}
