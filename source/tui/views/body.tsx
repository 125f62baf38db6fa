import {type JSX} from 'react';
import {callRuleLines} from '../approval/rule-page.ts';
import {ReviewOverlay} from '../approval/review-overlay.tsx';
import {AddServerForm} from '../components/add-server-form.tsx';
import {FormPane} from '../components/form-pane.tsx';
import {besidePage} from '../pages/page-column.ts';
import {shownMode} from '../state/mode.ts';
import {type Screen} from '../state/screen.ts';
import {LinesText} from '../text/line-text.tsx';
import {Columns} from './columns.tsx';
import {ListView} from './list-view.tsx';
import {PalettePane} from './palette-pane.tsx';
import {ReadingPane, type ReadingText, TracePane} from './reading-pane.tsx';

type BodyProps = {
	readonly screen: Screen;
	readonly height: number;
	/** The text that is open for reading, where it is laid out already. */
	readonly text?: ReadingText | undefined;
};

/** Everything between the header and the last line. */
export function Body({screen, height, text}: BodyProps): JSX.Element {
	const beside = besidePage(screen);
	if (beside) {
		return <Columns screen={screen} page={beside} height={height} text={text} />;
	}

	const mode = shownMode(screen.ui.mode);
	switch (mode.kind) {
		case 'review':
			return <ReviewOverlay screen={screen} review={mode} height={height} />;
		case 'deny-message':
			return <ReviewOverlay screen={screen} review={mode.review} height={height} />;
		case 'call-rule':
			return <LinesText lines={callRuleLines(mode, screen)} width={screen.size.columns} height={height} />;
		case 'add-server':
			return <AddServerForm mode={mode} width={screen.size.columns} height={height} />;
		case 'form':
		case 'form-text':
			return <FormPane screen={screen} mode={mode} height={height} />;
		case 'detail':
		case 'help':
		case 'faults':
		case 'page':
		case 'proposal':
		case 'settled':
		case 'edit':
		case 'command':
		case 'login':
		case 'manual-call':
			return <ReadingPane screen={{...screen, ui: {...screen.ui, mode}}} height={height} text={text} />;
		case 'trace':
			return <TracePane screen={screen} mode={mode} height={height} />;
		case 'palette':
			return (
				<PalettePane screen={screen} mode={mode} height={height}>
					<Body screen={{...screen, ui: {...screen.ui, mode: mode.behind}}} height={height} />
				</PalettePane>
			);
		case 'browse':
		case 'filter':
		case 'confirm':
		case 'copy':
		case 'prompt':
			return <ListView screen={screen} height={height} />;
	}
}
