/** A fact that holds between the tables; `violations` selects the rows for which it does not. */
interface Invariant {
  readonly about: string;
  readonly violations: string;
}

const TABLES_OF_PROJECTS = [
  'calls',
  'ref',
  'object',
  'object_latest',
  'file',
  'dataset',
  'dataset_row',
  'cost',
  'feedback',
  'saved_view',
];

export const INVARIANTS: readonly Invariant[] = [
  {
    about: 'rows belong to projects',
    violations: TABLES_OF_PROJECTS.map(
      (table) => `SELECT 1 FROM ${table} WHERE abs(project) NOT IN (SELECT pk FROM project)`,
    ).join(' UNION ALL '),
  },
  {
    about: 'calls that have started have an op and a body',
    violations: `SELECT 1 FROM calls c WHERE started_at IS NOT NULL AND (NOT EXISTS (SELECT 1 FROM op WHERE op.pk = c.op)
      OR project > 0 AND NOT EXISTS (SELECT 1 FROM body_start b WHERE b.pk = c.pk))`,
  },
  {
    about: 'calls that have ended have a body of their end',
    violations: `SELECT 1 FROM calls c WHERE project > 0 AND (ended_at IS NOT NULL) <> EXISTS (SELECT 1 FROM body_end b WHERE b.pk = c.pk)`,
  },
  {
    about: 'bodies and references belong to calls',
    violations: `SELECT pk FROM body_start WHERE pk NOT IN (SELECT pk FROM calls)
      UNION ALL SELECT pk FROM body_end WHERE pk NOT IN (SELECT pk FROM calls)
      UNION ALL SELECT call FROM ref r WHERE NOT EXISTS (SELECT 1 FROM calls c WHERE c.pk = r.call AND abs(c.project) = r.project)`,
  },
  {
    about: 'deleted calls are gone or on the list of what is to go',
    violations: `SELECT 1 FROM calls c WHERE (project < 0) <> (deleted_at IS NOT NULL) OR project < 0
      AND (EXISTS (SELECT 1 FROM body_start b WHERE b.pk = c.pk) OR EXISTS (SELECT 1 FROM body_end b WHERE b.pk = c.pk))
      AND NOT EXISTS (SELECT 1 FROM purge p WHERE p.pk = c.pk)`,
  },
  {
    about: 'calls that have started belong to segments whose changes are counted',
    violations: `SELECT 1 FROM calls c WHERE project > 0 AND started_at IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM segment s WHERE s.number = c.pk >> 12)`,
  },
  {
    about: 'versions of objects are numbered without gaps',
    violations: `SELECT 1 FROM object GROUP BY project, name, kind
      HAVING min(version_index) <> 0 OR max(version_index) <> count(*) - 1`,
  },
  {
    about: 'deleted versions have no value, the others have one',
    violations: 'SELECT 1 FROM object WHERE (val IS NULL) <> (deleted_at IS NOT NULL)',
  },
  {
    about: 'the latest version is one that is there, of every name that has one',
    violations: `SELECT 1 FROM object_latest l WHERE NOT EXISTS (SELECT 1 FROM object v WHERE v.pk = l.object
        AND v.project = l.project AND v.name = l.name AND v.kind = l.kind AND v.deleted_at IS NULL)
      UNION ALL SELECT 1 FROM object v WHERE deleted_at IS NULL AND NOT EXISTS
        (SELECT 1 FROM object_latest l WHERE l.project = v.project AND l.name = v.name AND l.kind = v.kind)`,
  },
  {
    about: 'tables have all their rows, at places without gaps',
    violations: `SELECT 1 FROM dataset d LEFT JOIN (SELECT i.dataset, count(*) AS rows, max(i.position) AS last,
        sum(length(r.val)) AS bytes FROM dataset_item i JOIN dataset_row r ON r.pk = i.row GROUP BY i.dataset) found
        ON found.dataset = d.pk
      WHERE d.row_count <> coalesce(rows, 0) OR d.row_count <> coalesce(last + 1, 0) OR d.size_bytes <> coalesce(bytes, 0)
      UNION ALL SELECT 1 FROM dataset_item i LEFT JOIN dataset d ON d.pk = i.dataset LEFT JOIN dataset_row r ON r.pk = i.row
        WHERE d.pk IS NULL OR r.pk IS NULL OR r.project <> d.project`,
  },
];
