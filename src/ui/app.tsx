import type { ReactElement } from 'react';
import { Router } from 'wouter';
import { servicePath } from './address/paths.ts';

/** The whole page: who is asking, then the page that the address names. */
export function App(): ReactElement {
  return (
    <Router base={`${servicePath(location.pathname)}/ui`}>
      <main />
    </Router>
  );
}
