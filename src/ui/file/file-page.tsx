import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactElement, useCallback, useEffect, useMemo, useState } from 'react';
import { Router } from 'wouter';
import { TRACE } from '../address/pages.ts';
import { CurrentSearchContext, useAddress } from '../address/use-address.ts';
import { CallDetail } from '../call/call-detail.tsx';
import { type CallRecord, readCallAnswer } from '../call/call-record.ts';
import { type CallSource, CallSourceContext } from '../call/call-source.ts';
import { sumOfUsage, usageRows } from '../call/usage-rows.ts';
import { ToastPlace } from '../controls/toast.tsx';
import { AsOfContext } from '../data/as-of.ts';
import { createQueryClient } from '../data/query-client.ts';
import { countOf } from '../format/count.ts';
import { formatInstant } from '../format/time.ts';
import { command } from '../shell/commands.ts';
import { KeysHelp } from '../shell/keys-help.tsx';
import { handleKey, useKeys } from '../shell/keys.ts';
import { otherTheme, useTheme } from '../shell/theme.ts';
import { CachedTokens } from '../trace/cached-tokens.tsx';
import { traceAddressOf, traceStateOf } from '../trace/trace-address.ts';
import { TracePane } from '../trace/trace-pane.tsx';
import type { ReadInputs } from '../trace/use-attempts.ts';
import type { TraceSource } from '../trace/use-trace-skeleton.ts';
import { fileLocation } from './file-location.ts';
import classes from './file-page.module.css';
import type { TraceFile } from './trace-file.ts';

/** The whole of a file: one trace, with nothing around it. */
export function FilePage({ file }: { readonly file: TraceFile }): ReactElement {
  const client = useMemo(() => createQueryClient(() => {}), []);
  const place = useMemo(fileLocation, []);
  return (
    <QueryClientProvider client={client}>
      <Router hook={place.hook} searchHook={place.searchHook}>
        <CurrentSearchContext value={place.search}>
          <ToastPlace>
            <CallSourceContext value={file.calls}>
              <AsOfContext value={Date.parse(file.facts.exported_at)}>
                <main className={classes.page}>
                  <Trace file={file} />
                </main>
              </AsOfContext>
            </CallSourceContext>
          </ToastPlace>
        </CurrentSearchContext>
      </Router>
    </QueryClientProvider>
  );
}

function Trace({ file }: { readonly file: TraceFile }): ReactElement {
  const [state, change] = useAddress(TRACE);
  const [hasKeys, setHasKeys] = useState(false);
  const address = useMemo(() => traceAddressOf(state), [state]);
  const source = useMemo<TraceSource>(() => ({ read: async () => file.skeleton }), [file]);
  const readInputs = useCallback<ReadInputs>((ids) => inputsOf(file.calls, ids), [file]);
  useFileKeys(() => setHasKeys(true));
  return (
    <>
      <TracePane
        source={source}
        readInputs={readInputs}
        address={address}
        change={(part, step) => change(traceStateOf(part), { isReplacing: step === 'replace' })}
        titleEnd={`${file.facts.project_id} · spoor`}
        hrefOfCall={(call) => `/?${TRACE.write('', { ...state, call, tab: '' })}`}
        cached={(roots, tokens) => (
          <CachedTokens
            source={file.facts.trace_id}
            roots={roots}
            tokens={tokens}
            read={(ids) => cachedOf(file.calls, ids)}
          />
        )}
        actions={<Origin file={file} />}
        detail={(callId, callState) => (
          <CallDetail
            key={callId}
            callId={callId}
            state={callState}
            tab={state.tab}
            onTab={(tab) => change({ tab }, { isReplacing: true })}
          />
        )}
      />
      {hasKeys && <KeysHelp isOnly onClose={() => setHasKeys(false)} />}
    </>
  );
}

async function cachedOf(calls: CallSource, ids: readonly string[]): Promise<readonly number[]> {
  const records = await recordsOf(calls, ids);
  return records.map((record) => (record && sumOfUsage(usageRows(record.summary))?.cached) ?? 0);
}

async function inputsOf(calls: CallSource, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const records = (await recordsOf(calls, ids)).filter((record) => record !== undefined);
  return new Map(records.map(({ id, text, inputs: { node } }) => [id, text.slice(node.start, node.end)]));
}

async function recordsOf(calls: CallSource, ids: readonly string[]): Promise<readonly (CallRecord | undefined)[]> {
  const { signal } = new AbortController();
  return await Promise.all(ids.map(async (id) => readCallAnswer(await calls.readCall(id, signal))));
}

function useFileKeys(showKeys: () => void): void {
  const [theme, setTheme] = useTheme();
  useEffect(() => {
    addEventListener('keydown', handleKey);
    return () => removeEventListener('keydown', handleKey);
  }, []);
  useKeys('Everywhere', [
    { ...command('Everywhere', '?'), run: showKeys },
    { ...command('Everywhere', 't'), run: () => setTheme(otherTheme(theme)) },
  ]);
}

/** The origin of the file, which does not change, and may not hold everything. */
function Origin({ file: { facts } }: { readonly file: TraceFile }): ReactElement {
  const missing = facts.left_out > 0 && `, without ${countOf(facts.left_out, 'large file')}`;
  return (
    <span className={`${classes.origin} muted`} title={`Exported ${formatInstant(Date.parse(facts.exported_at))}`}>
      {facts.project_id}, exported {formatInstant(Date.parse(facts.exported_at)).slice(0, 16)}
      {missing}
    </span>
  );
}
