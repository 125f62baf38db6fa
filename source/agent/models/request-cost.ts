import {type TokenPrice} from '../../config/read/limits-config.ts';
import {type TokenUsage} from '../../state/work-event.ts';
import {type ChosenModel} from './model-choice.ts';

/** The price of a model, by its name alone or with its provider. Undefined: it has none. */
export function priceOf(
	prices: ReadonlyMap<string, TokenPrice>,
	{provider, name}: Pick<ChosenModel, 'provider' | 'name'>,
): TokenPrice | undefined {
	return prices.get(name) ?? prices.get(`${provider}/${name}`);
}

/** The most tokens that a request can take: no token is shorter than a byte. */
export function upperBound(bytes: number, maxOutputTokens: number): TokenUsage {
	return {inputTokens: bytes, outputTokens: maxOutputTokens};
}

/** The cost of tokens in millionths of a dollar, rounded up. */
export function costOf({inputTokens, outputTokens}: TokenUsage, price: TokenPrice | undefined): number {
	return price === undefined ? 0 : Math.ceil(inputTokens * price.input + outputTokens * price.output);
}

/** The bytes of a request's body; of one that is no text, more than any limit allows. */
export function bodyBytes(body: unknown): number {
	if (typeof body === 'string') {
		return Buffer.byteLength(body);
	}

	return body instanceof Uint8Array ? body.byteLength : Number.MAX_SAFE_INTEGER;
}
