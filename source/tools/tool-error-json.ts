import {type ToolError} from './tool-outcome.ts';

/** An error as it travels (spec/decisions.md, D4). Absent members are left out. */
export type ToolErrorJson = {
	readonly code: string;
	readonly message: string;
	readonly server?: string;
	readonly outcome_uncertain?: true;
	readonly needs_reauth?: true;
};

/** The error as JSON. */
export function toolErrorJson(error: ToolError): ToolErrorJson {
	return {
		code: error.code,
		message: error.message,
		...(error.server !== undefined && {server: error.server}),
		...(error.outcomeUncertain && {outcome_uncertain: true}),
		...(error.needsReauth && {needs_reauth: true}),
	};
}
