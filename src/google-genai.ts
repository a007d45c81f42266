import { installDefaultClient } from './client/default-client.ts';

export { wrapGoogleGenAI } from './integrations/google-genai/google-genai.ts';

// What a wrapped client does is recorded without `init()`, also where nothing else of the package is imported.
installDefaultClient();
