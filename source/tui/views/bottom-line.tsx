import {type JSX} from 'react';
import {decisionStatus} from '../approval/decision-status.ts';
import {PromptLine} from '../components/prompt-line.tsx';
import {questionLine} from '../components/question-line.ts';
import {isDisabled} from '../input/disabled-actions.ts';
import {scopesOf} from '../input/modes.ts';
import {rowActions} from '../input/row-actions.ts';
import {completed} from '../input/typed-text.ts';
import {keyNames, namedFor} from '../state/key-names.ts';
import {type Action, actionFor, type Binding, keymap} from '../state/keymap.ts';
import {openRowId, type PromptPurpose, type TextMode} from '../state/mode.ts';
import {type Screen} from '../state/screen.ts';
import {LineText} from '../text/line-text.tsx';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {type Line, lineWidth, lineWithEnd, type Span, span} from '../text/span.ts';

type BottomLineProps = {
	readonly screen: Screen;
	/** True if all of the open text is on the screen. */
	readonly textFits?: boolean | undefined;
};

/** The last line of the screen: a question, a field to type into, or the keys that are useful now. */
export function BottomLine({screen, textFits}: BottomLineProps): JSX.Element {
	const {ui, snapshot, size} = screen;
	const {mode} = ui;
	const width = size.columns;
	switch (mode.kind) {
		case 'confirm':
			return <LineText line={questionLine(mode.question, snapshot, width)} width={width} />;
		case 'palette':
		case 'filter':
		case 'deny-message':
		case 'help':
		case 'prompt':
			return (
				<PromptLine
					{...promptText(mode, keyNames(screen).offers)}
					field={mode.field}
					completion={mode.kind === 'palette' ? completionOf(mode, screen) : ''}
					width={width}
				/>
			);
		case 'review':
		case 'form':
		case 'call-rule':
		case 'proposal':
			return <LineText line={decisionLine(screen) ?? footerLine({screen, textFits})} width={width} />;
		case 'browse':
		case 'copy':
		case 'detail':
		case 'faults':
		case 'page':
		case 'trace':
		case 'settled':
		case 'edit':
		case 'command':
		case 'login':
		case 'manual-call':
		case 'form-text':
		case 'add-server':
			return <LineText line={footerLine({screen, textFits})} width={width} />;
	}
}

/** The line about what is decided here, with help at its end where there is room. */
function decisionLine(screen: Screen): Line | undefined {
	const status = decisionStatus(screen);
	const end = keymap.filter(({scope, action}) => scope === 'overlay' && action === 'help').flatMap(hintSpans);
	const {columns} = screen.size;
	return status && lineWidth(status) + lineWidth(end) < columns ? lineWithEnd(status, end, columns) : status;
}

/** Text that Tab adds to a typed command, if the command begins as typed. */
function completionOf(mode: Extract<TextMode, {kind: 'palette'}>, screen: Screen): string {
	const {value} = mode.field;
	const whole = value === '' ? '' : completed(mode, screen.ui, screen);
	return whole.startsWith(value) ? whole.slice(value.length) : '';
}

/** Keys in the last line of a list or page; the help page has all. */
const maxKeys = 5;

/** Modes with a choice of keys rather than a list or page: each of their keys is in the last line. */
const choiceModes: ReadonlySet<Screen['ui']['mode']['kind']> = new Set(['copy', 'form', 'form-text', 'add-server']);

/** The most useful keys of this mode, those for the picked row first, as many as fit, without those that would do nothing now; help stays at the end, in a list with quit where it takes no room from them. */
function footerLine({screen, textFits}: BottomLineProps): Line {
	const {ui, size} = screen;
	const width = size.columns;
	const scopes = scopesOf(ui, screen);
	const hints = keymap
		.filter(({hint, scope}) => hint !== undefined && scopes.includes(scope))
		.filter(({action}) => !isDisabled(action, ui, {...screen, textFits}))
		// A key that means something nearer is offered for that alone.
		.filter(({keys: [key = ''], action}) => actionFor(scopes, key) === action)
		.map(binding => namedFor(binding, screen.snapshot.console));
	const ends = hints.filter(
		({action}) => action === 'help' || (action === 'quit' && ui.mode.kind === 'browse' && width >= 60),
	);
	const end = ends.flatMap(hintSpans);
	const room = width - lineWidth(end) - 1;
	const start: Span[] = [span(ui.mode.kind === 'copy' ? ' copy: ' : ' ')];
	const ofRow = ui.mode.kind === 'browse' || openRowId(ui.mode) !== undefined ? rowActions(ui, screen) : [];
	const others = firstOf(
		hints.filter(({action}) => action !== 'help' && action !== 'quit'),
		[...searchActions, ...ofRow],
	);
	for (const binding of choiceModes.has(ui.mode.kind) ? others : mostUseful(others, ofRow, maxKeys - ends.length)) {
		const next = hintSpans(binding);
		if (lineWidth([...start, ...next]) <= room) {
			start.push(...next);
		}
	}

	return lineWithEnd(start, end, width);
}

/** While a search is open. */
const searchActions = ['find-next', 'find-previous', 'close-search'] as const;

/** At most so many of these keys, in their order: those of a search, two for the picked row, faults, the way back, to scroll and to search, then the others. */
function mostUseful(bindings: readonly Binding[], ofRow: readonly Action[], limit: number): readonly Binding[] {
	const wanted: readonly Action[] = [...searchActions, ...ofRow.slice(0, 2), 'show-faults', 'back', 'down', 'find'];
	const kept = new Set(firstOf(bindings, wanted).slice(0, limit));
	return bindings.filter(binding => kept.has(binding));
}

/** First the keys of these actions, in their order, then the others in that of the keymap. */
function firstOf(bindings: readonly Binding[], actions: readonly Action[]): readonly Binding[] {
	const place = ({action}: Binding) => (actions.includes(action) ? actions.indexOf(action) : actions.length);
	return bindings.toSorted((first, second) => place(first) - place(second));
}

function hintSpans(binding: Binding): Span[] {
	return [span(binding.keys[0] ?? '', 'accent'), span(` ${binding.hint ?? ''}  `, 'dim')];
}

/** The label of a text field, and the placeholder while it is empty. */
type PromptText = {readonly label: string; readonly placeholder: string};

/** The label and placeholder of a text mode. */
function promptText(
	mode: Exclude<TextMode, {kind: 'form-text' | 'add-server'}>,
	offers: ReturnType<typeof keyNames>['offers'],
): PromptText {
	switch (mode.kind) {
		case 'palette':
			return {
				label: ' : ',
				placeholder: offers === 'everything' ? 'reload-mcp, reconnect NAME, ...' : 'tools NAME, theme NAME, ...',
			};
		case 'filter':
			return {label: ' / ', placeholder: 'word key:value !word'};
		case 'help':
			return {label: ' keys: ', placeholder: uiText`type to filter · ↓ scrolls · Esc closes`};
		case 'deny-message':
			return mode.settled
				? {label: ' too late: ', placeholder: '(Enter and Esc continue)'}
				: {label: ' deny, because: ', placeholder: '(Enter denies, Esc goes back)'};
		case 'prompt':
			return purposeText(mode.purpose);
	}
}

function purposeText(purpose: PromptPurpose): PromptText {
	switch (purpose.kind) {
		case 'find':
			return {label: ' search: ', placeholder: '(Enter searches, Esc leaves)'};
		case 'hold':
			return {label: ' hold all: ', placeholder: 'why, or nothing (Enter holds, Esc leaves)'};
		case 'deny-marked': {
			const {size} = purpose.marks;
			return {
				label: ` Deny ${size} ${size === 1 ? 'request' : 'requests'}? why: `,
				placeholder: '(Enter denies, Esc goes back)',
			};
		}

		case 'start-run':
			return {
				label: purpose.profile === undefined ? ' run: ' : ` run in ${purpose.profile}: `,
				placeholder: 'what to do (Enter starts, Esc leaves)',
			};
		case 'follow-up':
			return {label: ' follow-up: ', placeholder: 'another prompt in this conversation'};
		case 'note':
			return {label: ' note: ', placeholder: 'for its next turn (Enter sends, Esc leaves)'};
		case 'answer-inbox':
			return {label: ' answer: ', placeholder: 'delivered like the run’s own answer (Enter sends, Esc leaves)'};
		case 'finish-login':
			return {label: ' address: ', placeholder: 'the address, its query or the code (cancel leaves)'};
		case 'rename-proposal':
			return {label: ' install as: ', placeholder: 'a name of letters, digits, dot, dash, underscore'};
	}
}
