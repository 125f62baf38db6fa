import {type Masks, type WholeRequest} from '../state/approval-event.ts';
import {exactHead, exactLine, exactLines} from '../util/exact-text.ts';
import {shownJson, wholeLimits} from '../util/shown-json.ts';
import {type ValidatedCall} from './validate-call.ts';
import {type FindSecrets} from './show-arguments.ts';

const mostDescriptionCharacters = 100_000;

/** A call with nothing left out, for the eyes of a person at a console of this process. */
export function wholeCall(call: ValidatedCall, masks: Masks, partsOf: FindSecrets): WholeRequest {
	const {tool, definition, server} = call.tool;
	const {value, ...hidden} = shownJson(call.arguments, {
		room: wholeLimits,
		masks: masks === 'on' ? {names: 'secret', partsOf} : undefined,
	});
	return {
		server,
		tool: exactLine(tool),
		description: exactHead(definition.description ?? '', mostDescriptionCharacters, exactLines),
		arguments: value,
		...hidden,
	};
}
