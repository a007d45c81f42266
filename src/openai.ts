import { installDefaultClient } from './client/default-client.ts';

export { wrapOpenAI } from './integrations/openai/openai.ts';

// What a wrapped client does is recorded without `init()`, also where nothing else of the package is imported.
installDefaultClient();
