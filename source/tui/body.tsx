import {type JSX} from 'react';
import {AddServerForm} from './add-server-form.tsx';
import {ListView} from './list-view.tsx';
import {Overview} from './overview.tsx';
import {ReadingPane} from './reading-pane.tsx';
import {ReviewOverlay} from './review-overlay.tsx';
import {type FieldHandlers, type Screen} from './screen.ts';
import {type Mode} from './ui-state.ts';

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
		case 'detail':
		case 'help':
			return <ReadingPane screen={{...screen, ui: {...screen.ui, mode}}} height={height} />;
		case 'browse':
		case 'palette':
		case 'filter':
		case 'confirm':
			return screen.ui.view === 'servers' ? (
				<Overview screen={screen} height={height} />
			) : (
				<ListView screen={screen} height={height} />
			);
	}
}

/** A question leaves what it is about on the screen. */
function lookedAt(mode: Mode): Mode {
	return mode.kind === 'confirm' ? lookedAt(mode.behind) : mode;
}
