import { installDefaultClient } from './client/default-client.ts';

export { wrapAnthropic } from './integrations/anthropic/anthropic.ts';

// What a wrapped client does is recorded without `init()`, also where nothing else of the package is imported.
installDefaultClient();
