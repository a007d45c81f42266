import { type ServiceOptions, connect } from '../known-service.ts';
import { timeColumn } from '../output/columns.ts';
import { printJson } from '../output/json.ts';
import { formatCount } from '../output/numbers.ts';
import { toLine } from '../output/plain-text.ts';
import { remark } from '../output/say.ts';
import { tableLines } from '../output/table.ts';

export interface ProjectsOptions extends ServiceOptions {
  readonly json?: true;
}

/** Lists the projects that have calls, the one that was used last first. */
export async function printProjects(options: ProjectsOptions): Promise<void> {
  const { reader, project } = connect(options);
  const projects = await reader.page.projects();
  if (options.json) return printJson(projects);
  if (projects.length === 0) {
    remark('This service has no calls yet');
    return;
  }
  const lines = tableLines(projects, [
    // The one that commands mean which name none.
    { head: '', cell: ({ project_id: id }) => (id === project ? '*' : '') },
    { head: 'project', cell: ({ project_id: id }) => toLine(id, 80), least: 16 },
    { head: 'calls', cell: ({ calls }) => formatCount(calls), isRight: true },
    { head: 'failed', cell: ({ errors }) => formatCount(errors), isRight: true, rank: 1 },
    timeColumn(({ last_started_at: time }) => time, 'last call'),
  ]);
  process.stdout.write(`${lines.join('\n')}\n`);
}
