import json, time, collections, cProfile, pstats
from datetime import datetime
import pytest
from django.db import connection
from memoryhub.dreams import dreamer, inbox
from memoryhub.governance import subjects
from memoryhub.models import *
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from django.utils import timezone
from tests.factories.ground import NOW, make_ground
pytestmark = pytest.mark.usefixtures("committed_db")
def test_it():
    g = make_ground()
    lines=[json.loads(l) for l in open('/work/shared/data/airline-sessions/turns.jsonl')]
    def go():
        for d in lines:
            f={k:v for k,v in d.items() if k!='subject'}
            f['occurred_at']=datetime.fromisoformat(f['occurred_at'])
            with acting_for(g.as_agent, subjects=ALL_SUBJECTS):
                s=subjects.ensure(external_id=d['subject'], by=g.as_agent, now=timezone.now())
            with acting_for(g.as_agent, subjects=[s.pk]):
                r=inbox.receive_turn(turn=inbox.FinishedTurn(**f), agent=g.agent, subject=s, speaker=None, by=g.as_agent, now=timezone.now())
            c[r.event]+=1
            for x in r.results: ops[(x.op.value,x.reason.value)]+=1
            if r.event=='withheld': print('WITHHELD',d['user_input'][:200], [(x.op.value,x.reason.value) for x in r.results])
            for x in r.results:
                if x.entry: print(x.op.value, x.reason.value, '|', x.entry.content[:150],'|',x.entry.key, '=',x.entry.value[:60])
    c=collections.Counter(); ops=collections.Counter()
    t=time.perf_counter(); cpu=time.process_time()
    pr=cProfile.Profile(); pr.enable()
    go()
    pr.disable()
    print('turns', len(lines)/(time.perf_counter()-t), 'per s; cpu ms', (time.process_time()-cpu)/len(lines)*1000, c, ops)
    pstats.Stats(pr).sort_stats('cumulative').print_stats(45)
    for i in range(2):
        t=time.perf_counter(); cpu=time.process_time()
        d=dreamer.dream_now(organisation=g.organisation.pk, now=timezone.now())
        print('dream', time.perf_counter()-t, time.process_time()-cpu, d.status, d.failure)
        with acting_for(g.as_hub, subjects=ALL_SUBJECTS):
            r=dreamer.report(d)
            rep=r['report']; opl=rep.pop('operations'); print(json.dumps(rep), r['progress'])
            print(collections.Counter((o['store'],o['op'],o['reason']) for o in opl))
            for s in Skill.objects.all(): print(s.name, s.evidence.count(), s.status, s.description, s.triggers)
    with acting_for(g.as_hub, subjects=ALL_SUBJECTS):
        for e in Entry.objects.filter(kind='episodic').order_by('id'): print(e.status, e.provenance.session_ref, e.content)
        print(Entry.objects.filter(kind='episodic').count(), Session.objects.count())
        for e in Entry.objects.filter(kind='semantic', provenance__channel='dream'): print('DREAM FACT', e.status, e.content, '|', e.provenance.quote)
