import {type ViewName} from '../lists/view-table.ts';

/** The part of the dashboard in which a key has a meaning. */
export type Scope =
	| 'global'
	| 'list'
	| 'columns'
	| 'column'
	| ViewName
	| 'servers'
	| 'you-list'
	| 'inbox'
	| 'noted-run'
	| 'first-run'
	| 'detail'
	| 'trace'
	| 'traced-event'
	| 'review'
	| 'approve'
	| 'approve-run'
	| 'approve-longer'
	| 'approve-by-rule'
	| 'full'
	| 'always'
	| 'rule'
	| 'form'
	| 'form-text'
	| 'form-pick'
	| 'form-end'
	| 'form-url'
	| 'call-end'
	| 'proposal'
	| 'settled'
	| 'entry'
	| 'edit'
	| 'edit-valid'
	| 'command'
	| 'login-choice'
	| 'login-running'
	| 'login'
	| 'overlay'
	| 'reading'
	| 'search'
	| 'found'
	| 'copy'
	| 'confirm'
	| 'confirm-quit'
	| 'help'
	| 'text'
	| 'palette'
	| 'editing'
	| 'too-small'
	| 'everywhere';

/** One row of the table of keys. `hint` is its short form for the footer; `words` is for the help page. */
export type KeyRow<Name extends string> = {
	readonly scope: Scope;
	readonly keys: readonly string[];
	readonly action: Name;
	readonly words: string;
	readonly hint?: string;
};

/** A row of the table; `keys` has a blank between two of them. */
export function bind<const Name extends string>(
	scope: Scope,
	keys: string,
	rest: Pick<KeyRow<Name>, 'action' | 'words' | 'hint'>,
): KeyRow<Name> {
	return {scope, keys: keys.split(' '), ...rest};
}
