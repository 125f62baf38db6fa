import {type Action, rowActions} from '../state/actions.ts';
import {isFirstRun} from '../state/first-run.ts';
import {formOf} from '../state/form-mode.ts';
import {loginOf} from './login-keys.ts';
import {changes} from './command-keys.ts';
import {pickedId} from '../state/selection.ts';
import {readOnlyActions} from './row-keys.ts';
import {type UiContext, type UiState} from '../state/ui-state.ts';

/** What keys could do but would not do now, so that the footer does not offer it. */
export function idleActions(ui: UiState, {snapshot, readOnly}: UiContext): readonly Action[] {
	const firstRun = ui.view === 'servers' && isFirstRun(snapshot);
	const waiting = snapshot.approvals.length + snapshot.questions.length + snapshot.proposals.length;
	return [
		...(readOnly ? [...changes, ...rowActions.filter(action => !readOnlyActions.includes(action))] : []),
		...(firstRun ? (['open', 'filter'] as const) : []),
		...(waiting === 0 ? (['review'] as const) : []),
		...(snapshot.webhook.state === 'listening' ? (['enable-webhooks'] as const) : []),
		...(ui.view === 'approvals' && !pickedId(ui, snapshot)?.startsWith('uncertain-') ? uncertain : []),
		...(formOf(ui)?.owner.kind === 'tool' ? (['form-decline'] as const) : []),
		...(ui.mode.kind === 'login' ? idleLoginActions(ui.mode, snapshot) : []),
		...(snapshot.logins.length === 0 ? (['view-logins'] as const) : []),
	];
}

function idleLoginActions(
	mode: Extract<UiState['mode'], {kind: 'login'}>,
	snapshot: UiContext['snapshot'],
): readonly Action[] {
	const login = loginOf(mode, {snapshot});
	return [
		...(login?.flow === 'browser' ? [] : (['paste-redirect'] as const)),
		...(login?.userCode === undefined ? (['copy-code'] as const) : []),
		...(login?.verificationUri === undefined && login?.authorizationUrl === undefined ? (['copy'] as const) : []),
		...(snapshot.logins.length < 2 ? (['next-login'] as const) : []),
	];
}

const uncertain: readonly Action[] = ['call-happened', 'call-did-not-happen', 'repeat-call', 'server-tools'];
