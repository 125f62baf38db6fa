import {complete} from '../models/complete.ts';
import {type Models} from '../models/models.ts';
import {type AskAboutImage} from './vision-analyze.ts';

const mostAnswerTokens = 4000;

/** Opens the eye of the runs: the vision model, without tools. */
export function createAskAboutImage(options: {
	readonly models: Pick<Models, 'ofVision'>;
	readonly maxRetries: number | undefined;
}): AskAboutImage {
	const {models, maxRetries} = options;
	return async ({text, image}, {signal}) => {
		const {bytes, mediaType} = image;
		const parts = [
			{kind: 'image', data: Buffer.from(bytes).toString('base64'), mediaType},
			{kind: 'text', text},
		] as const;
		const request = {messages: [{role: 'user', parts}], maximumTokens: mostAnswerTokens} as const;
		return (await complete(request, {choice: await models.ofVision(), signal, maxRetries})).text;
	};
}
