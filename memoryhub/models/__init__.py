"""Every row the hub stores, one file per noun; thin, with named constraints."""

from memoryhub.models.agent import AgentPolicy, AgentSignal, AgentTool, Profile
from memoryhub.models.archive import ExportArchive
from memoryhub.models.audit import AuditEvent, AuditHead
from memoryhub.models.decision import Decision
from memoryhub.models.dream import Dream, DreamOperation
from memoryhub.models.entry import Entry
from memoryhub.models.erasure import Erasure, ForgottenMark, PendingErasure
from memoryhub.models.event import Event
from memoryhub.models.evidence import Backing, Evidence
from memoryhub.models.housekeeping import Housekeeping
from memoryhub.models.job import Job, WorkerBeat
from memoryhub.models.note_file import NoteFile
from memoryhub.models.notice import Delivery, DeliveryState, Notice, NoticeKind, Webhook
from memoryhub.models.policy import PolicyVersion
from memoryhub.models.provenance import Lineage, Provenance
from memoryhub.models.recall import Recall
from memoryhub.models.record import Record, RecordReading, RecordSource
from memoryhub.models.request import IdempotentRequest, SentForm
from memoryhub.models.review import ReviewItem
from memoryhub.models.reviewing import Preferences, ReviewLook, ReviewNote, ReviewQuestion, SavedView
from memoryhub.models.schedule import Schedule
from memoryhub.models.session import Offload, Session, Turn
from memoryhub.models.skill import Skill, SkillEvidence
from memoryhub.models.subject import Subject, SubjectMember
from memoryhub.models.subject_key import MasterKey, SubjectKey

__all__ = [
    "AgentPolicy",
    "AgentSignal",
    "AgentTool",
    "AuditEvent",
    "AuditHead",
    "Backing",
    "Decision",
    "Delivery",
    "DeliveryState",
    "Dream",
    "DreamOperation",
    "Entry",
    "Erasure",
    "Event",
    "Evidence",
    "ExportArchive",
    "ForgottenMark",
    "Housekeeping",
    "IdempotentRequest",
    "Job",
    "Lineage",
    "MasterKey",
    "NoteFile",
    "Notice",
    "NoticeKind",
    "Offload",
    "PendingErasure",
    "PolicyVersion",
    "Preferences",
    "Profile",
    "Provenance",
    "Recall",
    "Record",
    "RecordReading",
    "RecordSource",
    "ReviewItem",
    "ReviewLook",
    "ReviewNote",
    "ReviewQuestion",
    "SavedView",
    "Schedule",
    "SentForm",
    "Session",
    "Skill",
    "SkillEvidence",
    "Subject",
    "SubjectKey",
    "SubjectMember",
    "Turn",
    "Webhook",
    "WorkerBeat",
]
