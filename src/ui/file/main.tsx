import '../style/tokens.css';
import '../style/base.css';
import { createRoot } from 'react-dom/client';
import { FilePage } from './file-page.tsx';
import { readTraceFile } from './trace-file.ts';

// The entry of the file in which a trace was exported: the same views, which read from the file they stand in.
const place = document.getElementById('page');
if (place === null) throw new Error('The file has no place for the application');
createRoot(place).render(<FilePage file={readTraceFile(document)} />);
