import {isInboxItem, waitingLogins} from '../../state/waiting.ts';
import {serverId} from '../../state/entities/server.ts';
import {type ViewName} from '../lists/view-table.ts';
import {failuresAt} from '../pages/traced-row.ts';
import {type Action} from '../state/keymap.ts';
import {pickedId, selectedRow} from '../state/selection.ts';
import {type UiContext, type UiState} from '../state/ui-state.ts';

/** The most useful actions for the picked row, the best first: the footer of a narrow screen has room for two or three keys. */
export function rowActions(ui: UiState, {snapshot}: Pick<UiContext, 'snapshot'>): readonly Action[] {
	return actions[ui.view]?.(ui, snapshot) ?? [];
}

type Rows = UiContext['snapshot'];

const onlyOpen = (): readonly Action[] => ['open'];

/** By view, the actions for the picked row. */
const actions: Readonly<Partial<Record<ViewName, (ui: UiState, snapshot: Rows) => readonly Action[]>>> = {
	overview(ui, snapshot) {
		const id = pickedId(ui, snapshot);
		const row = snapshot.servers.find(server => serverId(server) === id);
		return row ? serverActions(row) : routeActions(ui, snapshot);
	},
	you: (ui, snapshot) =>
		youActions[youRowKind(pickedId(ui, snapshot), snapshot)] ?? [
			...(ui.marks.size > 0 ? (['ask-to-deny'] as const) : []),
			'open',
			'mark',
			'mark-shown',
		],
	runs(ui, snapshot) {
		const id = pickedId(ui, snapshot);
		const row = snapshot.runs.find(({runId}) => runId === id);
		return row === undefined ? [] : isInboxItem(row) ? ['write-to-run', 'close-item', 'open'] : runActions(row);
	},
	events: () => ['open', 'replay', 'dry-run'],
	log: onlyOpen,
	rehearsal: onlyOpen,
	askers: () => ['propose-rule', 'asked-by-tool', 'open'],
	'asked-tools': () => ['propose-rule', 'asked-by-asker', 'open'],
	routes: routeActions,
	'server-calls': () => ['open', 'call-again'],
};

function routeActions(ui: UiState, snapshot: Rows): readonly Action[] {
	return failuresAt(ui.view, pickedId(ui, snapshot), snapshot).length > 0 ? ['dismiss-deliveries', 'open'] : ['open'];
}

function serverActions(row: Rows['servers'][number]): readonly Action[] {
	switch (row.state) {
		case 'needs-login':
			return ['login', 'reconnect'];
		case 'failed':
			return row.login === 'asked-for' ? ['login', 'reconnect'] : ['reconnect', 'server-log'];
		case 'connecting':
		case 'waiting':
			return ['reconnect', 'server-log'];
		case 'lazy':
		case 'stopped':
			return ['reconnect'];
		case 'disabled':
			return ['toggle-server'];
		case 'connected':
			return ['server-tools', 'open'];
	}
}

function runActions({state, waitingFor}: Rows['runs'][number]): readonly Action[] {
	switch (waitingFor) {
		case 'nothing':
		case 'slot':
			return state === 'running' ? ['open', 'write-note', 'cancel-run'] : ['open'];
		case 'release':
			return ['hold', 'cancel-run'];
		case 'approval':
		case 'answer':
			return ['review', 'cancel-run'];
	}
}

/** The subject of the picked row in the view of requests. */
export function youRowKind(
	id: string | undefined,
	snapshot: Rows,
): 'uncertain' | 'delivery' | 'inbox' | 'login' | 'request' {
	if (id?.startsWith('uncertain-')) {
		return 'uncertain';
	}

	if (failuresAt('you', id, snapshot).length > 0) {
		return 'delivery';
	}

	const isRow = (row: Parameters<typeof serverId>[0]) => serverId(row) === id;
	return snapshot.runs.some(run => run.runId === id && isInboxItem(run))
		? 'inbox'
		: waitingLogins(snapshot).some(isRow)
			? 'login'
			: 'request';
}

const youActions: Readonly<Partial<Record<ReturnType<typeof youRowKind>, readonly Action[]>>> = {
	uncertain: ['call-happened', 'call-did-not-happen', 'repeat-call'],
	delivery: ['dismiss-deliveries', 'open'],
	inbox: ['write-to-run', 'close-item', 'open'],
	login: ['login', 'reconnect'],
};

/** True if the picked server can have no login: it is a local program and none is under way. */
export function hasNoLogin(ui: UiState, {snapshot}: Pick<UiContext, 'snapshot'>): boolean {
	const id = pickedId(ui, snapshot);
	const row = ui.view === 'overview' ? snapshot.servers.find(server => serverId(server) === id) : undefined;
	return row?.transport === 'stdio' && !snapshot.logins.some(login => serverId(login) === id);
}

/** Actions on one row of a list whose equal rows fold. */
const oneRowActions: ReadonlySet<Action> = new Set<Action>([
	'dry-run',
	'replay',
	'cancel-call',
	'call-again',
	'write-to-run',
	'write-note',
	'cancel-run',
	'close-item',
]);

/** True if the picked row is a fold and the key means one of its rows: nobody has seen which. */
export function isForFoldedRow(action: Action, ui: UiState, {snapshot}: Pick<UiContext, 'snapshot'>): boolean {
	return oneRowActions.has(action) && ui.mode.kind === 'browse' && selectedRow(ui, snapshot)?.fold !== undefined;
}
