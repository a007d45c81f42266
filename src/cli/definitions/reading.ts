import { type Command, Option } from 'commander';
import type { DiffOptions } from '../commands/diff.ts';
import type { LsOptions } from '../commands/ls.ts';
import type { SearchOptions } from '../commands/search.ts';
import type { ShowOptions } from '../commands/show.ts';
import type { StatsOptions } from '../commands/stats.ts';
import type { TailOptions } from '../commands/tail.ts';
import type { SaveViewOptions, ViewsOptions } from '../commands/views.ts';
import type { WhyOptions } from '../commands/why.ts';
import { parsePositive } from '../parse-argument.ts';
import {
  addExamples,
  addServiceOptions,
  filterOption,
  limitOption,
  sinceOption,
  type CommandDefinitions,
} from './options.ts';

/** A trace has room in them as a rule, and so has the rest of what an agent thinks of. */
const AGENT_TOKENS = 4000;

const STATUSES = ['running', 'success', 'error', 'descendant_error'] as const;

/** Commands that read calls. */
export const READING = {
  ls: addLs,
  show: addShow,
  diff: addDiff,
  search: addSearch,
  stats: addStats,
  why: addWhy,
  tail: addTail,
  views: addViews,
} satisfies CommandDefinitions;

function addLs(program: Command): void {
  const ls = program.command('ls').description('list the newest traces');
  addServiceOptions(ls)
    .addOption(limitOption('traces'))
    .option('-f, --filter <filter>', 'only traces whose first call meets a filter, as "status:error latency>2s"')
    .option('--view <name>', 'only traces whose first call meets the filter of a saved view')
    .option('--op <name>', 'only traces whose first call is of this op')
    .addOption(new Option('--status <status>', 'only traces whose first call has this status').choices(STATUSES))
    .option('--thread <id>', 'only traces of this thread')
    .addOption(sinceOption('traces begun'))
    .option('--json', 'print a JSON array instead of a table')
    .action(async (options: LsOptions) => (await import('../commands/ls.ts')).ls(options));
  addExamples(ls, {
    'spoor ls --since 2h --status error': 'what failed in the last two hours',
    "spoor ls -f 'op:answer* cost>0.01'": 'what was dear',
    'spoor ls --json | jq -r .[0].trace_id': 'for programs',
  });
}

function addShow(program: Command): void {
  const show = program
    .command('show')
    .description('print a trace as a tree; without an id the newest')
    .argument('[id]', 'id of a trace or call, its beginning or its end, or a call reference');
  addServiceOptions(show)
    .option('--full', 'print every call on its own, with attributes, inputs, output and the whole error')
    .option('--json', 'print the calls as JSON instead of a tree')
    .addOption(
      new Option('--for-agent [tokens]', 'print a trace for a program that pays by the token, 4000 of them at most')
        .argParser(parsePositive)
        .preset(String(AGENT_TOKENS)),
    )
    .option('--html [file]', 'save the trace as one HTML file that shows it without a service')
    .action(async (id: string | undefined, options: ShowOptions) =>
      (await import('../commands/show.ts')).show(id, options),
    );
  addExamples(show, {
    'spoor show': 'the newest trace',
    'spoor show 2d59a4f0': 'a trace of any project, by the id that "spoor ls" prints',
    'spoor show 2d59a4f0 --full': 'with inputs and outputs',
  });
}

function addDiff(program: Command): void {
  const diff = program
    .command('diff')
    .description('say where two traces differ, and what from; without ids, the newest from the one before')
    .argument('[a]', 'trace or call as "spoor show" takes it, or prev, the one before the other')
    .argument('[b]', 'the same; without, prev');
  addServiceOptions(diff)
    .option('--all', 'print calls that are the same, too')
    .option('--code', 'print how sources and objects of other versions differ, also where there is more than one')
    .option('--exit-code', 'end with code 1 where anything but numbers differs, 2 where that cannot be said')
    .option('--json', 'print JSON instead of a tree')
    .action(async (a: string | undefined, b: string | undefined, options: DiffOptions) =>
      (await import('../commands/diff.ts')).diff(a, b, options),
    );
  addExamples(diff, {
    'spoor diff': 'what the newest trace does otherwise than the one before of the same op',
    'spoor diff 2d59a4f0 8a41c7e2': 'two traces, the earlier one first',
    'spoor diff 2d59a4f0 --exit-code': 'for scripts: fails where it differs from the one before',
  });
}

function addSearch(program: Command): void {
  const search = program
    .command('search')
    .description('list calls that have a text in their inputs or output')
    .argument('<text...>', 'text, of which words in a row are one; case does not matter');
  addServiceOptions(search)
    .addOption(limitOption('calls, 1,000 at most'))
    .addOption(filterOption())
    .addOption(sinceOption('calls begun'))
    .option('--json', 'print a JSON array instead of a table')
    .action(async (text: string[], options: SearchOptions) =>
      (await import('../commands/search.ts')).search(text, options),
    );
  addExamples(search, {
    'spoor search refund': 'any call with this text',
    "spoor search 'order 1234' -f kind:llm": 'only requests to models',
  });
}

function addStats(program: Command): void {
  const stats = program.command('stats').description('count calls, errors, latency, tokens and cost');
  addServiceOptions(stats)
    .addOption(filterOption())
    .addOption(sinceOption('calls begun'))
    .option('--roots', 'only calls that have no parent')
    .option('--by <field>', 'count by op, kind, state, model, thread, user, error or a path such as attributes.tenant')
    .option('--json', 'print JSON')
    .action(async (options: StatsOptions) => (await import('../commands/stats.ts')).stats(options));
  addExamples(stats, { 'spoor stats --since 24h': 'cost of a day', 'spoor stats --by op': 'calls of each op' });
}

function addWhy(program: Command): void {
  const why = program.command('why').description('say what some calls have more or less often than others');
  addServiceOptions(why)
    .addOption(filterOption())
    .option('--against <filter>', 'compare with calls that this filter means; without, with all others')
    .addOption(sinceOption('calls begun'))
    .option('--roots', 'only calls that have no parent')
    .addOption(limitOption('differences, 100 at most'))
    .option('--json', 'print JSON')
    .action(async (options: WhyOptions) => (await import('../commands/why.ts')).why(options));
  addExamples(why, {
    'spoor why -f status:error --since 24h': 'what calls that failed have in common',
    "spoor why -f 'op:answer latency>5s' --against op:answer": 'what makes an op slow',
  });
}

function addTail(program: Command): void {
  const tail = program.command('tail').description('print calls as they start and end');
  addServiceOptions(tail)
    .addOption(filterOption())
    .option('--roots', 'only calls that have no parent')
    .option('--json', 'print a line of JSON for each change')
    .action(async (options: TailOptions) => (await import('../commands/tail.ts')).tail(options));
  addExamples(tail, { "spoor tail -f 'kind:llm'": 'requests to models, as they happen' });
}

function addViews(program: Command): void {
  const views = program.command('views').description('manage the saved views of a project');
  const load = () => import('../commands/views.ts');
  addServiceOptions(views.command('list').description('list the views'))
    .option('--json', 'print a JSON array instead of a table')
    .action(async (options: ViewsOptions) => (await load()).printViews(options));
  addServiceOptions(views.command('save').description('save a filter as a view').argument('<name>', 'name of the view'))
    .addOption(filterOption())
    .option('--json', 'print JSON')
    .action(async (name: string, options: SaveViewOptions) => (await load()).saveView(name, options));
  addServiceOptions(views.command('delete').description('delete a view').argument('<name>', 'name or id of the view'))
    .option('--json', 'print JSON')
    .action(async (name: string, options: ViewsOptions) => (await load()).deleteView(name, options));
}
