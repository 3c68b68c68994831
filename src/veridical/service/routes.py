"""All routers, in one list: what the application consists of."""

from __future__ import annotations

from fastapi import APIRouter

from veridical.service.api import (
    chat,
    citations,
    documents,
    evaluations,
    exports,
    jobs,
    operations,
    reviews,
    scorecards,
    sessions,
    speech,
    validations,
    viewer,
    workspaces,
)
from veridical.service.pages import access as access_pages
from veridical.service.pages import ask, home, report_assets
from veridical.service.pages import documents as document_pages
from veridical.service.pages import evaluations as evaluation_pages
from veridical.service.pages import jobs as job_pages
from veridical.service.pages import scorecards as scorecard_pages
from veridical.service.pages import sessions as session_pages
from veridical.service.pages import speech as speech_pages
from veridical.service.pages import validations as validation_pages
from veridical.service.pages import viewer as viewer_pages

API_ROUTERS: tuple[APIRouter, ...] = (
    workspaces.router, documents.router, viewer.router, sessions.router, reviews.router,
    exports.router, citations.router, jobs.router, validations.router, speech.router,
    scorecards.router, evaluations.router,
)  # fmt: skip

ROOT_ROUTERS: tuple[APIRouter, ...] = (
    operations.router, chat.router, access_pages.router, home.router, ask.router,
    session_pages.router, document_pages.router, viewer_pages.router, validation_pages.router,
    speech_pages.router, scorecard_pages.router, evaluation_pages.router, job_pages.router,
    report_assets.router,
)  # fmt: skip
