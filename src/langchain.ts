import { installDefaultClient } from './client/default-client.ts';

export { SpoorCallbackHandler } from './integrations/langchain/langchain-handler.ts';

// What the handler is told is recorded without `init()`, also where nothing else of the package is imported.
installDefaultClient();
