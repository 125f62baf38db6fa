import {type GatewayEventBody} from '../../state/event.ts';
import {safeText} from '../../util/safe-text.ts';
import {type ModelChoice} from './model-choice.ts';

/** The event that tells which model runs get, and why. The key is no part of it. */
export function modelStateEvent(choice: ModelChoice): Extract<GatewayEventBody, {type: 'model.state'}> {
	const reason = safeText(choice.why);
	switch (choice.kind) {
		case 'model': {
			const {provider, name, source} = choice;
			return {type: 'model.state', provider, model: safeText(name, {maximumCharacters: 200}), source, reason};
		}

		case 'broken':
			return {type: 'model.state', provider: 'none', source: 'config', reason};
		case 'none':
			return {type: 'model.state', provider: 'none', source: 'none', reason};
	}
}
