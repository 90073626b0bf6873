// SPDX-License-Identifier: Apache-2.0
import { render } from 'solid-js/web';
import { App } from './App.tsx';
import { startFeed } from './api/feed.ts';
import './styles/index.css';

const root = document.getElementById('app');
if (root) {
	startFeed();
	render(() => <App />, root);
}
