import {type Scope} from '../state/keymap.ts';
import {type ReviewMode} from '../state/mode.ts';
import {requestReading} from './request-reading.ts';
import {reviewLayout} from './review-layout.ts';
import {type UiContext, type UiState} from '../state/ui-state.ts';

/** Until the request was read to its end only its denial means something. */
export function reviewScopes(ui: UiState, review: ReviewMode, {snapshot}: UiContext): readonly Scope[] {
	const card = snapshot.approvals.find(row => row.id === review.cardId);
	switch (review.page) {
		case 'always':
			return ['always'];
		case 'whole':
			return ['whole', 'reading'];
		case 'card':
			return card && requestReading(review, card, reviewLayout(card, ui.size)) !== 'unread'
				? ['approve', 'review']
				: ['review'];
	}
}
