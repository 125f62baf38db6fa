import {APICallError, RetryError} from 'ai';
import {errorText, Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type ChosenModel} from './model-choice.ts';

/** Why a model could not be asked, as a Problem whose message is fit for a row; the provider's own words, which may quote a key, are private detail. */
export function toModelProblem(caught: unknown, {provider, name}: Pick<ChosenModel, 'provider' | 'name'>): Problem {
	if (caught instanceof Problem) {
		return caught;
	}

	const error = RetryError.isInstance(caught) ? caught.lastError : caught;
	const model = safeText(name, {maximumCharacters: 100});
	const more = {detail: safeText(errorText(error)), cause: caught};
	// What went wrong after a good beginning bears the status of the beginning.
	if (!APICallError.isInstance(error) || (error.statusCode ?? 400) < 400) {
		return new Problem('model_failed', {message: `The answer of ${provider} broke off`, ...more});
	}

	const {statusCode: status} = error;
	if (status === undefined) {
		return new Problem('model_unreachable', {message: `${provider} could not be reached`, ...more});
	}

	if (status === 401 || status === 403) {
		return new Problem('model_unauthorized', {message: `${provider} refused the key (${status})`, ...more});
	}

	if (status === 404) {
		return new Problem('unknown_model', {message: `${provider} does not know the model ${model} (404)`, ...more});
	}

	return status === 429
		? new Problem('model_rate_limited', {message: `${provider} takes no more requests for now (429)`, ...more})
		: new Problem('model_failed', {message: `${provider} answered with an error (${status})`, ...more});
}
