import {type JSX} from 'react';
import {AddServerForm} from '../components/add-server-form.tsx';
import {FormPane} from '../components/form-pane.tsx';
import {ListView} from './list-view.tsx';
import {type Mode} from '../state/mode.ts';
import {Overview} from './overview.tsx';
import {ReadingPane} from './reading-pane.tsx';
import {ReviewOverlay} from '../approval/review-overlay.tsx';
import {type FieldHandlers, type Screen} from '../state/screen.ts';

type BodyProps = {readonly screen: Screen; readonly handlers: FieldHandlers; readonly height: number};

/** What stands between header and last line. */
export function Body({screen, handlers, height}: BodyProps): JSX.Element {
	const mode = lookedAt(screen.ui.mode);
	switch (mode.kind) {
		case 'review':
			return <ReviewOverlay screen={screen} review={mode} height={height} />;
		case 'deny-message':
			return <ReviewOverlay screen={screen} review={mode.review} height={height} />;
		case 'add-server':
			return <AddServerForm mode={mode} handlers={handlers} width={screen.size.columns} height={height} />;
		case 'form':
		case 'form-text':
			return <FormPane screen={screen} mode={mode} handlers={handlers} height={height} />;
		case 'detail':
		case 'help':
		case 'page':
		case 'proposal':
		case 'settled':
		case 'login':
		case 'hand-call':
			return <ReadingPane screen={{...screen, ui: {...screen.ui, mode}}} height={height} />;
		case 'browse':
		case 'palette':
		case 'filter':
		case 'confirm':
		case 'prompt':
			return screen.ui.view === 'servers' ? (
				<Overview screen={screen} height={height} />
			) : (
				<ListView screen={screen} height={height} />
			);
	}
}

/** A question or a typed line leaves what it is about on the screen. */
function lookedAt(mode: Mode): Mode {
	if (mode.kind === 'deny-message' && mode.settled) {
		return mode.settled;
	}

	return mode.kind === 'confirm' || mode.kind === 'prompt' ? lookedAt(mode.behind) : mode;
}
