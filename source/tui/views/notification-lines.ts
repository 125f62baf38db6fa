import {longQuestion} from '../components/question-line.ts';
import {type Screen} from '../state/screen.ts';
import {type Line} from '../text/span.ts';
import {toastLines} from '../components/toast-lines.ts';

/** The lines above the last one: a question that is too long for it, or what just happened. */
export function notificationLines({ui, snapshot, size}: Screen): readonly Line[] {
	if (ui.mode.kind === 'confirm') {
		return longQuestion(ui.mode.question, snapshot, size.columns);
	}

	return ui.toast ? toastLines(ui.toast, size.columns) : [];
}
