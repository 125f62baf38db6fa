import {type PromptPurpose, type TextMode} from '../state/mode.ts';

/** What stands before a typed line and, while it is empty, in it. */
export type PromptText = {readonly label: string; readonly placeholder: string};

/** The words of a typed line. */
export function promptText(mode: Exclude<TextMode, {kind: 'form-text' | 'add-server'}>): PromptText {
	switch (mode.kind) {
		case 'palette':
			return {label: ' : ', placeholder: 'reload-mcp, reconnect NAME, ...'};
		case 'filter':
			return {label: ' / ', placeholder: 'word key:value !word'};
		case 'deny-message':
			return mode.settled
				? {label: ' too late: ', placeholder: '(Enter and Esc go on)'}
				: {label: ' deny, because: ', placeholder: '(Enter denies, Esc goes back)'};
		case 'prompt':
			return purposeText(mode.purpose);
	}
}

function purposeText(purpose: PromptPurpose): PromptText {
	switch (purpose.kind) {
		case 'find':
			return {label: ' search: ', placeholder: '(Enter searches, Esc leaves)'};
		case 'start-run':
			return {
				label: purpose.profile === undefined ? ' run: ' : ` run in ${purpose.profile}: `,
				placeholder: 'what is to be done (Enter starts, Esc leaves)',
			};
		case 'follow-up':
			return {label: ' follow-up: ', placeholder: 'another prompt in this conversation'};
		case 'answer-inbox':
			return {label: ' answer: ', placeholder: 'delivered as the run’s own would be (Enter sends, Esc leaves)'};
		case 'finish-login':
			return {label: ' address: ', placeholder: 'http://127.0.0.1:PORT/callback?code=...&state=...'};
		case 'rename-proposal':
			return {label: ' install as: ', placeholder: 'a name of letters, digits, dot, dash, underscore'};
	}
}
