import {uiText} from '../../util/characters/ui-glyphs.ts';
import {type NextAction} from '../next-action.ts';
import {
	type Failing,
	failingState,
	failingStatus,
	failingStatusLine,
	failureNotes,
	failuresNote,
	isFailing,
} from './delivery.ts';
import {type Entity, type Fields, glyphColumn, nextActionText, wordColumn} from './entity.ts';
import {type StatusLabel} from './status-text.ts';

/** A part of the gateway: a model, the endpoint or a platform. */
export type Part = {
	readonly id: string;
	readonly kind: 'model' | 'endpoint' | 'platform';
	readonly name: string;
	readonly status: StatusLabel;
	readonly note: string;
	readonly reason: string;
	readonly nextActions?: readonly NextAction[] | undefined;
	readonly profile: string;
};

const partFields = {
	kind: {text: ({kind}) => kind},
	name: {label: ({kind}) => kind, text: ({name}) => name},
	state: {text: part => failingState(part.status.word, part)},
	note: {text: ({note}) => note},
	reason: {text: part => [part.reason, failuresNote(part)].join(' ').trim(), detail: ({reason}) => reason},
	next: {detail: (part, {keys}) => nextActionText(part, keys)},
	profile: {text: ({profile}) => profile},
} as const satisfies Fields<Failing<Part>>;

const own = (part: Part) => part.status;
const status = failingStatus(own);

/** A part of the gateway with the deliveries that fail there. */
export const partEntity: Entity<Failing<Part>, keyof typeof partFields> = {
	fields: partFields,
	id: ({id}) => id,
	copy: ({name}) => name,
	status,
	statusLine: failingStatusLine(own),
	filter: ['kind', 'name', 'state', 'reason', 'profile'],
	notes: failureNotes,
	details: ['name', 'note', 'reason', 'next', 'profile'],
	columns: [
		glyphColumn(status),
		{wide: 10, tone: 'dim', text: ({kind}) => kind},
		{narrow: 21, wide: [27, 0.25], tone: 'strong', text: ({name}) => name},
		wordColumn(status, {narrow: 'rest', wide: 11}),
		{
			wide: 'rest',
			tone: part => (isFailing(part) ? status(part).tone : 'dim'),
			text: part => failuresNote(part) || [part.note, part.reason].filter(text => text !== '').join(uiText` · `),
		},
	],
	values: ({name}) => ({name}),
};
