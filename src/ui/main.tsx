import './style/tokens.css';
import './style/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

const place = document.getElementById('page');
if (place === null) throw new Error('The page has no place for the application');
createRoot(place).render(<App />);
