import {type Snapshot} from '../../state/snapshot.ts';
import {type ListRow} from './list-row.ts';
import {loginListRow} from './login-rows.ts';
import {ruleListRow} from './rule-rows.ts';
import {toolListRow} from './tool-rows.ts';
import {type listViewNames} from '../state/view-names.ts';

/** The rows of a list without a digit. */
export function listViewRows(view: (typeof listViewNames)[number], snapshot: Snapshot): readonly ListRow[] {
	switch (view) {
		case 'logins':
			return snapshot.logins.map(loginListRow);
		case 'tools':
			return snapshot.toolList?.tools.map(toolListRow) ?? [];
		case 'rules':
			return snapshot.ruleList?.rules.map(ruleListRow) ?? [];
	}
}
