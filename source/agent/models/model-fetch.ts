import {hadNoFile, tooManyOpenFiles} from '../../util/open-files.ts';

/**
The `fetch` with which one run asks its model. `onAsk` is told in the very moment in which a request goes out, and never once its signal has aborted.
Rejects with `too_many_open_files` when no connection could be opened and nothing was sent before either: then the model knows nothing of the run.
*/
export function createModelFetch(onAsk: () => void): typeof fetch {
	let isFirst = true;
	return async (input, init) => {
		init?.signal?.throwIfAborted();
		onAsk();
		try {
			const response = await fetch(input, init);
			isFirst = false;
			return response;
		} catch (caught) {
			if (isFirst && hadNoFile(caught)) {
				throw tooManyOpenFiles(caught);
			}

			isFirst = false;
			throw caught;
		}
	};
}
