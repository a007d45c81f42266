import { installDefaultClient } from './client/default-client.ts';

export { wrapAISDK } from './integrations/ai-sdk/ai-sdk.ts';

// What a wrapped module does is recorded without `init()`, also where nothing else of the package is imported.
installDefaultClient();
