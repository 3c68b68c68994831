"""Sentences that a claim narrows, firms up or turns, so that they do not bear it out.

Each sentence has its claim in the line below it. All of our own writing.
"""

from __future__ import annotations

CASES = """
Visitors may use the network after they have signed the terms.
    Visitors may use the network.
Interns may work from home once they have passed the safety course.
    Interns may work from home.
Staff may park in the yard before 9 am.
    Staff may park in the yard.
Employees may take unpaid leave after two years of service.
    Employees may take unpaid leave.
Guests may stay overnight while the renovation lasts.
    Guests may stay overnight.
You may use the lift when the fire alarm is silent.
    You may use the lift.
Managers can approve overtime during the busy season.
    Managers can approve overtime.
Contractors can enter the plant as long as a guard is with them.
    Contractors can enter the plant.
Tenants may sublet the flat with written consent.
    Tenants may sublet the flat.
Members may bring guests on Sundays.
    Members may bring guests.
Pupils may leave the premises with a note from a parent.
    Pupils may leave the premises.
Employees are entitled to a bonus after the probation period.
    Employees are entitled to a bonus.
Dogs are allowed in the ground-floor offices.
    Dogs are allowed in the offices.
The gym is open to residents on weekdays.
    The gym is open to residents.
Drivers may exceed the limit in an emergency.
    Drivers may exceed the limit.
Refunds are available within 14 days of purchase.
    Refunds are available.
Alcohol is allowed at official receptions.
    Alcohol is allowed.
The card may be used for travel.
    The card may be used.
Nurses may give the drug under the supervision of a doctor.
    Nurses may give the drug.
Photos may be taken outside the laboratory.
    Photos may be taken.
"""
"""Allowed or given in one case only, and claimed of all."""

SOME = """
Staff in Berlin get 30 days of leave.
    Staff get 30 days of leave.
Employees who lose a laptop must pay 200 euros.
    Employees must pay 200 euros.
Staff on night shifts receive a bonus of 50 euros.
    Staff receive a bonus of 50 euros.
Employees with children get five extra days of leave.
    Employees get five extra days of leave.
Customers outside the EU pay a fee of 20 euros.
    Customers pay a fee of 20 euros.
Patients under 12 need the consent of a parent.
    Patients need the consent of a parent.
Orders above 100 euros are shipped free of charge.
    Orders are shipped free of charge.
Trips to the United States need the approval of the director.
    Trips need the approval of the director.
Expenses for alcohol are not reimbursed.
    Expenses are not reimbursed.
Passwords of administrators expire after 30 days.
    Passwords expire after 30 days.
Invoices without a purchase order are rejected.
    Invoices are rejected.
Students enrolled before 2020 pay no fees.
    Students pay no fees.
People working in the kitchen must wear a hairnet.
    People must wear a hairnet.
Bags left at reception are destroyed.
    Bags are destroyed.
Vehicles whose permit has expired are towed.
    Vehicles are towed.
Laptops that hold patient data must be encrypted.
    Laptops must be encrypted.
Members aged over 65 travel free.
    Members travel free.
Emails from unknown senders are deleted.
    Emails are deleted.
Meals during business trips are reimbursed.
    Meals are reimbursed.
Accidents at work are covered by the insurance.
    Accidents are covered by the insurance.
Guards may open the safe in the presence of two witnesses.
    Guards may open the safe.
Residents may keep cats provided that the neighbours agree.
    Residents may keep cats.
Members can vote once the fee has been paid.
    Members can vote.
The water is safe to drink after boiling.
    The water is safe to drink.
Trainees are allowed to drive the forklift accompanied by an instructor.
    Trainees are allowed to drive the forklift.
The grant covers travel inside Europe.
    The grant covers travel.
The loan is free of interest for the first year.
    The loan is free of interest.
The policy covers phones bought less than two years ago.
    The policy covers phones.
Children up to the age of six travel free of charge.
    Children travel free of charge.
Parcels heavier than 20 kg cost 12 euros.
    Parcels cost 12 euros.
Pregnant women should not take this medicine.
    Women should not take this medicine.
Full members elect the board.
    Members elect the board.
Tickets booked online cost 8 euros.
    Tickets cost 8 euros.
Files marked secret are shredded.
    Files are shredded.
Those of the tenants who have a garden pay 15 euros more.
    The tenants pay 15 euros more.
Machines in hall 3 are serviced monthly.
    Machines are serviced monthly.
Employees hired after 2015 receive a company pension.
    Employees receive a company pension.
Persons over 60 should be vaccinated every year.
    Persons should be vaccinated every year.
Students from abroad must show a visa.
    Students must show a visa.
In leap years the bonus is 366 euros.
    The bonus is 366 euros.
During the summer the pool closes at 10 pm.
    The pool closes at 10 pm.
On public holidays, parking is free.
    Parking is free.
For members, the entry costs 5 euros.
    The entry costs 5 euros.
At night the gate is locked.
    The gate is locked.
With a doctor's note, staff may work from home.
    Staff may work from home.
"""
"""Said of some only, or in one case, and claimed of all."""

JOINTS = """
Complaints are answered within ten working days.
    Complaints are answered within ten days.
The notice period is 30 business days.
    The notice period is 30 days.
Groups of more than 10 people must register.
    Groups of 10 people must register.
The fee is due after 30 consecutive days.
    The fee is due after 30 days.
The offer is valid until 1 March 2025.
    The offer is valid from 1 March 2025.
The office is open from 9 am.
    The office is open until 9 am.
The rule applies since 2019.
    The rule applied until 2019.
Claims over 500 euros are checked by hand.
    Claims of 500 euros are checked by hand.
The hall seats fewer than 200 guests.
    The hall seats 200 guests.
The discount is up to 20 percent.
    The discount is 20 percent.
Staff work 38 hours a week on average.
    Staff work at least 38 hours a week.
Reports are due by 15 May.
    Reports are due after 15 May.
The trial lasts three months.
    The trial lasts at most three months.
Requests need the approval of the manager and the director.
    Requests need the approval of the manager or the director.
Bring a passport or a driving licence.
    Bring a passport and a driving licence.
Claims need a receipt and a signed form.
    Claims need a receipt or a signed form.
The bonus is paid in June or December.
    The bonus is paid in June and December.
You may choose tea or coffee.
    You may choose tea and coffee.
The former head of security approved the plan.
    The head of security approved the plan.
The deputy director signs the contracts.
    The director signs the contracts.
The acting mayor opened the bridge.
    The mayor opened the bridge.
The draft policy allows remote work abroad.
    The policy allows remote work abroad.
The proposed rule limits overtime to five hours.
    The rule limits overtime to five hours.
An assistant manager may approve the discount.
    A manager may approve the discount.
The alleged thief was arrested in May.
    The thief was arrested in May.
The outgoing chair resigned from the board.
    The chair resigned from the board.
Payment is due within 20 working days of the invoice.
    Payment is due within 20 days of the invoice.
The flat has 60 square metres of net floor space.
    The flat has 60 metres.
Meals are served until 9 pm.
    Meals are served from 9 pm.
The permit is valid from 3 May.
    The permit is valid until 3 May.
Applications are accepted before 30 June.
    Applications are accepted after 30 June.
Pack a coat or a blanket.
    Pack a coat and a blanket.
The form is signed by the tenant and the landlord.
    The form is signed by the tenant or the landlord.
The tank holds about 90 litres.
    The tank holds at least 90 litres.
Nearly 40 people attended.
    40 people attended.
The price rose by 5 percentage points.
    The price rose by 5 percent.
The price rose from 40 to 50 euros.
    The price rose by 50 euros.
Two of the five pumps are broken.
    Five pumps are broken.
The third attempt succeeded.
    Three attempts succeeded.
Pages 3 to 9 deal with safety.
    There are 9 pages on safety.
The fine is 50 euros for the first offence and 100 euros for the second.
    The fine for the first offence is 100 euros.
The train leaves at 8:15 and arrives at 9:40.
    The train arrives at 8:15.
The loan is 5,000 euros at 4 percent interest.
    The loan is 4,000 euros at 5 percent interest.
The deposit is two months' rent.
    The deposit is two months.
One in five trains is late.
    Five trains are late.
The bill is 90 euros including tax.
    The bill is 90 euros excluding tax.
"""
"""Values and things joined by other words, and what is not quite the thing."""

HEARSAY = """
Critics claim that the plant pollutes the river.
    The plant pollutes the river.
Some employees believe that the canteen is closed on Fridays.
    The canteen is closed on Fridays.
The union argues that the pay is too low.
    The pay is too low.
According to a rumour, the office moves to Leeds.
    The office moves to Leeds.
The supplier alleges that the goods arrived late.
    The goods arrived late.
Opponents say that the dam endangers fish.
    The dam endangers fish.
Many people think that the insurance covers theft.
    The insurance covers theft.
The defendant denied that he took the money.
    The defendant took the money.
The company hopes that sales will double.
    Sales will double.
The mayor claims the bridge is safe.
    The bridge is safe.
Analysts expect that the price will fall.
    The price will fall.
The tenant complained that the heating was broken.
    The heating was broken.
Researchers suspect that the mineral causes cancer.
    The mineral causes cancer.
According to some employees, the boss sleeps at noon.
    The boss sleeps at noon.
The bridge is safe, the mayor claims.
    The bridge is safe.
Residents fear that the factory will close.
    The factory will close.
The seller insists that the car has no rust.
    The car has no rust.
It is rumoured that the firm has been sold.
    The firm has been sold.
"""
"""What somebody says or thinks, claimed as so."""

TIMES = """
The office will move to Leeds in May.
    The office moved to Leeds in May.
The canteen was open on Sundays.
    The canteen is open on Sundays.
The company plans to hire 50 people.
    The company hired 50 people.
Staff used to get a free lunch.
    Staff get a free lunch.
The board intends to close the branch.
    The board closed the branch.
The city wants to build a new school.
    The city built a new school.
The hotel had a swimming pool.
    The hotel has a swimming pool.
The firm used to pay for parking.
    The firm pays for parking.
The firm will pay for parking from 2027.
    The firm pays for parking.
The team tried to repair the pump.
    The team repaired the pump.
The committee is to meet in March.
    The committee met in March.
The museum was closed on Mondays.
    The museum is closed on Mondays.
They had planned to sell the ship.
    They sold the ship.
The treaty was to be signed in May.
    The treaty was signed in May.
The board considered closing the plant.
    The board closed the plant.
"""
"""What was, or is only meant to be, claimed as what is."""

FIRM = """
We recommend that staff take a break every two hours.
    Staff must take a break every two hours.
Staff should change the filter every month.
    Staff must change the filter every month.
The tenant may end the contract with three months' notice.
    The tenant must end the contract with three months' notice.
Doctors can prescribe the drug to children.
    Doctors prescribe the drug to children.
The drug may cause headaches.
    The drug causes headaches.
Side effects are possible.
    Side effects are common.
All shops are closed on Sunday apart from the bakery.
    All shops are closed on Sunday.
Every member has a vote, with the exception of trainees.
    Every member has a vote.
Entry is free for everyone but groups.
    Entry is free for everyone.
The guarantee covers all parts other than the battery.
    The guarantee covers all parts.
Deliveries are free, save for islands.
    Deliveries are free.
The rule applies to all staff bar directors.
    The rule applies to all staff.
The power failed and the pump stopped.
    The pump stopped because the power failed.
Sales rose after the new campaign.
    Sales rose because of the new campaign.
People who drink coffee live longer.
    Coffee makes people live longer.
If the vote passes, the tax will rise.
    The tax will rise.
Should the pump fail, the valve closes.
    The pump fails.
Had they paid, the goods would have been sent.
    The goods were sent.
Imagine that all staff work from home.
    All staff work from home.
For instance, a manager might grant ten days.
    A manager grants ten days.
"""
"""Said less firmly, with an exception, or beside something and not for it."""

TURNED = """
The tenant pays the landlord 500 euros a month.
    The landlord pays the tenant 500 euros a month.
The seller sends the buyer an invoice.
    The buyer sends the seller an invoice.
The nurse informs the doctor before the visit.
    The doctor informs the nurse before the visit.
Anna reports to Ben.
    Ben reports to Anna.
The firm sued the city over the contract.
    The city sued the firm over the contract.
The contract was ended by the customer.
    The contract was ended by the supplier.
The doors stay locked at night.
    The doors stay open at night.
The request was turned down by the board.
    The request was approved by the board.
Few employees attended the course.
    Many employees attended the course.
The patient refused the operation.
    The patient had the operation.
The lamp failed the safety test.
    The lamp passed the safety test.
Sales dropped by 5 percent in May.
    Sales rose by 5 percent in May.
The road is impassable in winter.
    The road is passable in winter.
Nobody under 16 is admitted.
    Anybody under 16 is admitted.
It is not uncommon to wait two hours.
    It is uncommon to wait two hours.
Red cables carry power, blue cables carry data.
    Blue cables carry power.
Paris is the seat of the bank and Rome the seat of the fund.
    Rome is the seat of the bank.
Smith chairs the board; Jones chairs the audit committee.
    Jones chairs the board.
Monday is for repairs, Tuesday for tests.
    Tuesday is for repairs.
The first floor holds offices, the second the archive.
    The archive is on the first floor.
The last bus leaves at 11 pm.
    The first bus leaves at 11 pm.
Version 2 supports Linux.
    Version 3 supports Linux.
The eastern gate is closed.
    The western gate is closed.
The old pump was replaced by a new one.
    The new pump was replaced by an old one.
Only members may vote.
    All members must vote.
Only members may vote.
    Guests may vote.
The deputy was elected chair.
    The chair was elected deputy.
More people chose tea than coffee.
    More people chose coffee than tea.
The blue model is cheaper than the red model.
    The red model is cheaper than the blue model.
Lead is heavier than iron.
    Iron is heavier than lead.
The contract runs until the parties end it.
    The contract has ended.
Children must be accompanied by an adult.
    Adults must be accompanied by a child.
"""
"""Things that changed places, opposites, and clauses whose halves were joined."""

TIED = """
When the tank is full, the pump stops. It starts again three minutes after you put the tank back.
    The pump starts again three minutes after the tank is full.
The agreement is renewed unless either party gives notice six months before it ends.
    The agreement ends unless either party asks that it is renewed six months before.
When you come back, the firm will offer you a meeting with the doctor, which you may decline.
    When you come back, you must attend a meeting with the doctor.
The liability of the supplier is limited to 750,000 euros, save for personal injury.
    The liability of the supplier for personal injury is limited to 750,000 euros.
The mayor announced a fund of 60,000 euros, to which the guild is adding 15,000 euros.
    The fund of 60,000 euros includes 15,000 euros from the guild.
The default size of a page is now 50; it was 100.
    The default size of a page is now 100.
Imports were on average 35 percent faster, and up to twice as fast for short files.
    Imports were on average twice as fast.
The lock is switched on by holding TIMER for three seconds and off by holding TIMER and POWER.
    The lock is switched off by holding TIMER for three seconds.
"""
"""Tied to another event, bound or value of the same sentences."""

TIED_TRUE = """
When the tank is full, the pump stops. It starts again three minutes after you put the tank back.
    The pump starts again three minutes after you put the tank back.
The lock is switched on by holding TIMER for three seconds and off by holding TIMER and POWER.
    The lock is switched on by holding TIMER for three seconds.
The lock is switched on by holding TIMER for three seconds and off by holding TIMER and POWER.
    The lock is switched off by holding TIMER and POWER.
The default size of a page is now 50; it was 100.
    The default size of a page is now 50.
The manager answers within five days. If there is no answer in that time, the request is approved.
    If there is no answer within five days, the request is approved.
The keys are returned after the last day of work.
    The keys are returned after the last day of work.
"""

OTHERS_DEEDS = """
Anna Berg thanked the staff and Tom Hill announced the closure.
    Anna Berg announced the closure.
Anna Berg, who founded the firm, met Tom Hill, who wrote the report.
    Anna Berg wrote the report.
The mayor opened the hall, while Mr Osei planted the trees in the yard.
    The mayor planted the trees in the yard.
The council funds a museum that opened in the spring of 1999.
    The council opened in the spring of 1999.
Water flows from tank A to tank B.
    Water flows from tank B to tank A.
The files are copied from the archive to the server in Bonn.
    The files are copied from the server in Bonn to the archive.
The first payment is due in January and the last in October.
    The last payment is due in January.
Requests are answered by staff in Oslo, complaints by staff in Bergen.
    Complaints are answered by staff in Oslo.
The Supplier shall accept every order that does not exceed the forecast.
    The Supplier shall accept every order.
The Supplier accepts orders that do not exceed the forecast.
    The Supplier accepts orders.
The museum lends all paintings that are insured by the borrower.
    The museum lends all paintings.
The clinic closes at noon on Fridays.
    The clinic closes at noon.
The ferry runs every hour in summer.
    The ferry runs every hour.
The board withdrew its approval of the plan.
    The board gave its approval of the plan.
The court overturned the ban on night flights.
    There is a ban on night flights.
Cllr Adams proposed a speed limit of 20 mph and Cllr Boyd seconded it.
    Cllr Boyd proposed a speed limit of 20 mph.
The Provider may suspend the Service, and the Customer may terminate it, if the other is in breach.
    The Customer may suspend the Service if the other is in breach.
Admission is 8 euros, children under six free.
    Admission is free.
Dogs, other than guide dogs, are not admitted.
    Guide dogs are not admitted.
Dogs, other than guide dogs, are not admitted.
    Dogs are not admitted, including guide dogs.
Group A did better than group B.
    Group B did better than group A.
The grant covers half of the cost.
    The grant covers the cost.
Large bags must be left in the cloakroom, small ones may be carried.
    Small bags must be left in the cloakroom.
Support answers within four hours on working days.
    Support answers within four hours.
Forty people attended, most of them from Ashby.
    Forty people from Ashby attended.
Otto Lind, whose daughter Clara gave the glass in 1921, founded the museum.
    Clara Lind founded the museum.
The office is closed on 24 and 31 December.
    The office is closed in December.
He was taken to hospital with burns and was released on Monday.
    He was taken to hospital on Monday.
The alert was sent at 3.10 am, 50 minutes before the water reached the street.
    The water reached the street at 3.10 am.
The army, which had helped in 2022, was not called this time.
    The army was not called in 2022.
The wall would cost 4 million euros; the county has offered a third.
    The county has offered 4 million euros.
"The wall would have kept the street dry," said councillor Hugo Lane.
    The wall would have kept the street dry.
Trains are preferred to planes for distances under 600 km.
    Trains are preferred to planes.
Receipts are required for all amounts above 10 euros.
    Receipts are required for all amounts.
Massage is not recommended in the first 48 hours.
    Massage is not recommended.
Three months after the end of the treatment the difference had disappeared.
    The difference had disappeared at the end of the treatment.
Private use is allowed outside working hours.
    Private use is allowed during working hours.
Earlier studies had found gains of up to an hour.
    Earlier studies had found gains of an hour.
Keys of the test system begin with tk, those of production with pk.
    Keys of production begin with tk.
If the rate falls, stop the morphine, give oxygen and call the doctor.
    If the rate falls, give morphine.
Laptops are replaced every four years, telephones every three.
    Telephones are replaced every four years.
"""
"""Done by somebody else, the other way round, said of fewer or undone."""

OWN_DEEDS = """
Anna Berg thanked the staff and announced the closure.
    Anna Berg announced the closure.
Anna Berg, who founded the firm, wrote the report.
    Anna Berg wrote the report.
Anna Berg and Tom Hill announced the closure.
    Anna Berg announced the closure.
On Monday, Tom Hill announced the closure of the hall.
    Tom Hill announced the closure of the hall on Monday.
Water flows from tank A to tank B.
    From tank A water flows to tank B.
Football is a family of team sports that involve kicking a ball.
    Football is a family of team sports.
The firm sells a machine that cuts steel.
    The firm sells a machine.
The police arrested protesters who had blocked the road.
    The police arrested protesters.
The large pool is open on Mondays and closed on Tuesdays.
    The large pool is open on Mondays.
The first payment is due in January and the last in October.
    The last payment is due in October.
Cllr Adams proposed a speed limit of 20 mph and Cllr Boyd seconded it.
    Cllr Adams proposed a speed limit of 20 mph.
Dogs, other than guide dogs, are not admitted.
    Apart from guide dogs, dogs are not admitted.
Group A did better than group B.
    Group A did better than group B did.
The grant covers half of the cost.
    The grant covers half of the cost.
Large bags must be left in the cloakroom, small ones may be carried.
    Large bags must be left in the cloakroom.
Admission is 8 euros, children under six free.
    Admission is 8 euros.
The museum was founded in 1893 by the merchant Otto Lind.
    Otto Lind founded the museum in 1893.
The office is closed on 24 and 31 December.
    The office is closed on 31 December.
The hall opened on 5 May 1998.
    The hall opened in May 1998.
"""

WORD_FOR_WORD = """
Staff in the warehouse work fixed shifts and are not covered by 4.1 and 4.2.
    Staff in the warehouse work fixed shifts.
1. Minutes. The minutes of 8 July were approved after one correction: a name was spelt wrongly.
    The minutes of 8 July were approved after one correction.
- Snapshots. POST makes a read-only copy. Snapshots are kept for 30 days; set ttl to 0 for ever.
    Snapshots are kept for 30 days.
The stop in Market Street is closed; buses 14 and 27 stop outside the post office instead.
    The stop in Market Street is closed, and buses 14 and 27 stop outside the post office instead.
5.2 Data are stored in the EU and are not moved elsewhere without the Customer's written consent.
    Data are stored in the EU.
3. Footpath. Cllr Finch spoke of the stile. The council wrote to the county, which is in charge.
    The council wrote to the county.
The hall was let to the choir; the club asked for a cheaper room.
    The club asked for a cheaper room.
"""
"""Said word for word, with another statement behind."""

NOT_WORD_FOR_WORD = """
Staff get 27 days of leave, which does not apply to interns.
    Staff get 27 days of leave.
The plant pollutes the river, which is not the case.
    The plant pollutes the river.
The hall is open daily; it is not open on Mondays.
    The hall is open daily.
- Contractors. Hotels are paid up to 90 euros a night.
    Hotels are paid up to 90 euros a night.
- Until 2024. Snapshots are kept for 30 days.
    Snapshots are kept for 30 days.
No staff in the warehouse work fixed shifts and are not covered by 4.1.
    Staff in the warehouse work fixed shifts.
Staff in the warehouse work fixed shifts; only the night guard does not.
    Staff in the warehouse work fixed shifts.
The stop in Market Street is closed; buses 14 and 27 stop outside the post office instead.
    Buses 14 and 27 stop in Market Street, and the stop outside the post office is closed.
- Until 31 May. Entry is free. Dogs are allowed in the halls.
    Dogs are allowed in the halls.
- Trainees. Meals are paid by the firm. Hotels are paid up to 90 euros.
    Hotels are paid up to 90 euros.
If the other commits a material breach and does not remedy it, either party may terminate.
    If the other commits a material breach, either party may terminate.
Either party may terminate if the other commits a material breach and does not remedy it.
    Either party may terminate if the other commits a material breach.
The Friends of the Library, whose treasurer is Cllr Holt, offered 500 euros.
    Cllr Holt offered 500 euros.
"""
