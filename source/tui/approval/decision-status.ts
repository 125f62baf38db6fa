import {stopOf} from '../state/form.ts';
import {reviewStatus, statusLine} from './review-status.ts';
import {type Screen} from '../state/screen.ts';
import {own} from '../text/own-signs.ts';
import {type Line, span} from '../text/span.ts';

/** The last line where something is decided: whether keys act, and on what; undefined where no key decides. */
export function decisionStatus(screen: Screen): Line | undefined {
	const {mode} = screen.ui;
	switch (mode.kind) {
		case 'review':
			return reviewStatus(screen, mode);
		case 'proposal':
			return statusLine(screen, {
				hint: mode.hint,
				usual: own`i installs · m under another name · x does not · Esc goes back, decides nothing`,
				urgent: mode.again !== undefined,
			});
		case 'form': {
			if (stopOf(mode.form).kind !== 'submit') {
				return mode.form.hint === '' ? undefined : [span(` ${mode.form.hint}`, 'busy')];
			}

			const usual =
				mode.form.owner.kind === 'question'
					? own`enter sends the answer · d declines · Esc leaves`
					: own`enter calls the tool · Esc leaves`;
			return statusLine(screen, {hint: mode.form.hint, usual, urgent: false});
		}

		case 'browse':
		case 'detail':
		case 'page':
		case 'settled':
		case 'form-text':
		case 'login':
		case 'hand-call':
		case 'deny-message':
		case 'confirm':
		case 'help':
		case 'prompt':
		case 'palette':
		case 'filter':
		case 'add-server':
			return undefined;
	}
}
