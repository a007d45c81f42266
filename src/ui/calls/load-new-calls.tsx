import type { ComponentType } from 'react';
import type { NewCallsProps } from './new-calls.tsx';

const load = async () => (await import('./new-calls.tsx')).NewCalls;

/** The part that tells of new calls. It is only heard: where it cannot be loaded, that is heard in its place. */
export async function loadNewCalls(loadPart = load): Promise<ComponentType<NewCallsProps>> {
  try {
    return await loadPart();
  } catch (error) {
    return () => (
      <p className="vh" role="status">
        New calls are not told: {error instanceof Error ? error.message : String(error)}
      </p>
    );
  }
}
