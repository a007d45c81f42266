import type { LoadFnOutput } from 'node:module';
import { handOverExports, PROGRAM_CODE_KEY } from './program-source.ts';

/** The loader's answer for a module of the program. One that cannot be understood stays as it is, and says so. */
export function handOverOrLeave(url: string, loaded: LoadFnOutput): LoadFnOutput {
  const { source, format } = loaded;
  if (source === undefined || source === null || (format !== 'module' && format !== 'module-typescript')) return loaded;
  const text = typeof source === 'string' ? source : new TextDecoder().decode(source);
  try {
    const edited = handOverExports(text, url);
    return edited === undefined ? loaded : { ...loaded, source: edited };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const told = `globalThis[Symbol.for("${PROGRAM_CODE_KEY}")]?.(import.meta.url,[],true,${JSON.stringify(reason)});`;
    return { ...loaded, source: `${text}\n;${told}` };
  }
}
