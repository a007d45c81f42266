import type { ValueChange } from './value-changes.ts';

/** How members that say how a model is asked are called, without case and `_`. */
const SETTINGS: ReadonlySet<string> = new Set([
  'temperature',
  'topp',
  'topk',
  'minp',
  'typicalp',
  'maxtokens',
  'maxcompletiontokens',
  'maxoutputtokens',
  'maxnewtokens',
  'maxtokenstosample',
  'numpredict',
  'frequencypenalty',
  'presencepenalty',
  'repetitionpenalty',
  'repeatpenalty',
  'logitbias',
  'logprobs',
  'toplogprobs',
  'stopsequences',
  'responseformat',
  'responsemimetype',
  'responseschema',
  'reasoning',
  'reasoningeffort',
  'reasoningconfig',
  'thinking',
  'thinkingbudget',
  'thinkingconfig',
  'budgettokens',
  'toolchoice',
  'toolconfig',
  'paralleltoolcalls',
  'safetysettings',
  'servicetier',
  'verbosity',
]);

/** The same of requests to models only: elsewhere they are words for anything. */
const SETTINGS_OF_REQUESTS: ReadonlySet<string> = new Set(['seed', 'stop', 'n', 'candidatecount', 'dimensions']);

const MODELS: ReadonlySet<string> = new Set(['model', 'modelid', 'modelname', 'deployment']);

export type SettingKind = 'model' | 'settings';

/** The kind of setting that a change is one of; `undefined` for one of something else. */
export function settingIn({ path }: Pick<ValueChange, 'path'>, isRequest: boolean): SettingKind | undefined {
  const names = namesOf(path);
  const last = names.at(-1);
  if (last !== undefined && MODELS.has(last)) return 'model';
  const isSetting = (name: string) => SETTINGS.has(name) || (isRequest && SETTINGS_OF_REQUESTS.has(name));
  return names.some(isSetting) ? 'settings' : undefined;
}

/** Up to the first list: what is in one, as messages are, is no setting. */
function namesOf(path: ValueChange['path']): string[] {
  const list = path.findIndex((key) => typeof key === 'number');
  return path
    .slice(0, list === -1 ? path.length : list)
    .flatMap((key) => String(key).split('.'))
    .map((name) => name.replaceAll('_', '').toLowerCase());
}
