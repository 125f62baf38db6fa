import {Box} from 'ink';
import {waitingCount} from '../../state/waiting.ts';
import {type JSX} from 'react';
import {StatusLines, type StatusLinesProps} from '../components/status-lines.tsx';
import {coversKeys, toastLines} from '../components/toast-lines.ts';
import {topLines} from '../components/top-lines.ts';
import {longQuestion} from '../components/question-line.ts';
import {isReadMode, type Mode} from '../state/mode.ts';
import {type Screen} from '../state/screen.ts';
import {type Toast} from '../state/ui-state.ts';
import {layoutName, type Size} from '../text/layout.ts';
import {Dimmed, LinesText, LineText} from '../text/line-text.tsx';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {type Line, span} from '../text/span.ts';
import {glyphs} from '../../state/entities/status-text.ts';
import {besidePage, columnScreens} from '../pages/page-column.ts';
import {Body} from './body.tsx';
import {BottomLine} from './bottom-line.tsx';
import {readingText} from './reading-pane.tsx';

type FrameProps = {readonly screen: Screen};

/** The whole screen, exactly as large as the terminal. */
export function Frame({screen}: FrameProps): JSX.Element {
	const {size, ui} = screen;
	const {columns, rows} = size;
	if (layoutName(size) === 'none') {
		return <TooSmall screen={screen} />;
	}

	const {mode} = ui;
	const shown = mode.kind === 'prompt' || mode.kind === 'copy' ? mode.behind : mode;
	const isReview = shown.kind === 'review' || shown.kind === 'deny-message' || shown.kind === 'call-rule';
	const beside = besidePage(screen);
	const top = isReview ? [] : topLines(screen, beside ? 'all' : topOf(shown.kind, size));
	const notification = isReview ? noNotification : notificationOf(screen);
	const last = notification.variant !== undefined && coversKeys(ui) ? 0 : 1;
	// One row is the body's.
	const below = Math.min(notification.lines.length, rows - top.length - 1 - last);
	const height = rows - top.length - below - last;
	const text = isReadMode(mode) ? readingText(beside ? columnScreens(screen, beside).page : screen, height) : undefined;
	const body = <Body screen={screen} height={height} text={text} />;
	return (
		<Box flexDirection="column" width={columns} height={rows}>
			<LinesText lines={top} width={columns} height={top.length} />
			{isOld(shown.kind, screen) ? <Dimmed>{body}</Dimmed> : body}
			{notification.variant === undefined ? (
				<LinesText lines={cutLines(notification.lines, below)} width={columns} height={below} />
			) : (
				<StatusLines lines={notification.lines.slice(0, below)} variant={notification.variant} width={columns} />
			)}
			{last === 0 ? null : <BottomLine screen={screen} textFits={text?.fits} />}
		</Box>
	);
}

/** The lines that have room; the last of them says that there are more. */
function cutLines(lines: readonly Line[], room: number): readonly Line[] {
	return lines.length <= room ? lines : [...lines.slice(0, room - 1), [span(uiText` …`, 'busy')]];
}

/** True if the content is from a gateway that is gone. */
function isOld(shown: Mode['kind'], {snapshot}: Screen): boolean {
	return snapshot.console.state === 'lost' && oldModes.has(shown);
}

const oldModes: ReadonlySet<Mode['kind']> = new Set([
	'browse',
	'detail',
	'page',
	'trace',
	'palette',
	'filter',
	'confirm',
]);

/** The rows at the top. On a narrow screen, requests, forms and texts take the rows of the banners, and on any screen those of long faults. */
function topOf(shown: Mode['kind'], size: Size): Parameters<typeof topLines>[1] {
	switch (shown) {
		case 'form':
		case 'form-text':
		case 'proposal':
		case 'login':
		case 'faults':
			return layoutName(size) === 'narrow' ? 'header' : 'short';
		case 'detail':
			return layoutName(size) === 'narrow' ? 'header' : 'reading';
		case 'page':
		case 'trace':
			return 'reading';
		case 'settled':
		case 'edit':
		case 'command':
		case 'help':
		case 'manual-call':
		case 'add-server':
			return 'short';
		case 'browse':
		case 'palette':
		case 'filter':
		case 'confirm':
		case 'copy':
		case 'prompt':
		case 'review':
		case 'call-rule':
		case 'deny-message':
			return 'all';
	}
}

type Notification = Pick<StatusLinesProps, 'lines'> & Partial<Pick<StatusLinesProps, 'variant'>>;

const noNotification: Notification = {lines: []};

/** The lines above the last one: a question too long for it, or a notification. */
function notificationOf({ui, snapshot, size}: Screen): Notification {
	if (ui.mode.kind === 'confirm') {
		return {lines: longQuestion(ui.mode.question, snapshot, size.columns)};
	}

	return ui.toast ? {lines: toastLines({...ui, size}), variant: toastVariant(ui.toast)} : noNotification;
}

/** A notification: something has happened, or is under way until the core reports its outcome. */
function toastVariant({awaited, tone}: Toast): NonNullable<Notification['variant']> {
	if (awaited) {
		return 'under-way';
	}

	return tone === 'good' ? 'success' : tone === 'bad' ? 'error' : tone === 'busy' ? 'warning' : 'info';
}

/** One line: the required size, and how many items are waiting. */
function TooSmall({screen}: {readonly screen: Screen}): JSX.Element {
	const {size, snapshot, ui} = screen;
	const count = waitingCount(snapshot);
	const waiting = count > 0 ? ` ${glyphs.approval}${count}` : '';
	const text = ui.mode.kind === 'confirm' ? 'y yes, n no' : `needs 40x10, now ${size.columns}x${size.rows}${waiting}`;
	return (
		<Box width={size.columns} height={size.rows} overflow="hidden">
			<LineText line={[span(text)]} width={size.columns} />
		</Box>
	);
}
